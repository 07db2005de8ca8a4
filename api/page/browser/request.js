import { byId } from './element.js';
import { absoluteTime, agentName, relativeTime } from './wording.js';

/**
 * What the service tells of an agent that asks. Type, address and program are what the agent said of itself: they are
 * shown as text and never as anything else.
 *
 * @typedef {object} DeviceRequest
 * @property {string} user_code
 * @property {string} agent_platform_type
 * @property {string} status
 * @property {string} created_at
 * @property {string} expires_at
 * @property {string | null} address
 * @property {string | null} user_agent
 */

/** @param {DeviceRequest} request */
export function showRequest(request) {
  const name = agentName(request.agent_platform_type);
  byId('agent-name', HTMLElement).textContent = name;
  byId('agent-kind', HTMLElement).textContent = name;
  byId('shown-code', HTMLElement).textContent = request.user_code;
  const asked = byId('asked-at', HTMLTimeElement);
  asked.dateTime = request.created_at;
  asked.textContent = `${relativeTime(request.created_at)} (${absoluteTime(request.created_at)})`;
  byId('asked-from', HTMLElement).textContent = request.address ?? 'not known';
  byId('asked-by', HTMLElement).textContent = request.user_agent ?? 'it does not say';
}
