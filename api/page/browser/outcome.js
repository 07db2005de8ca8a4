import { byId } from './element.js';

/** @typedef {'approved' | 'denied' | 'expired' | 'decided'} Outcome */

/** @type {Record<Outcome, { mark: string, title: string, text: string }>} */
const outcomes = {
  approved: {
    mark: '✓',
    title: 'The agent is connected',
    text: 'Go back to your agent: it goes on by itself within seconds. You can close this page.',
  },
  denied: {
    mark: '✕',
    title: 'You said no',
    text: 'The agent got no access. If you did not start it, there is nothing else to do; you can close this page.',
  },
  expired: {
    mark: '!',
    title: 'The code has expired',
    text: 'Nothing was approved. Go back to your agent, ask it for a new code, and enter that one.',
  },
  decided: {
    mark: '!',
    title: 'This request is decided already',
    text: 'Go back to your agent. If it does not go on, ask it for a new code.',
  },
};

/**
 * Fills the last step, which says where to go from here.
 *
 * @param {Outcome} outcome
 * @returns {string} its title
 */
export function showOutcome(outcome) {
  const { mark, title, text } = outcomes[outcome];
  byId('outcome', HTMLElement).dataset['outcome'] = outcome;
  byId('outcome-mark', HTMLElement).textContent = mark;
  byId('outcome-heading', HTMLElement).textContent = title;
  byId('outcome-text', HTMLElement).textContent = text;
  byId('outcome-connections', HTMLElement).hidden = outcome !== 'approved';
  byId('outcome-again', HTMLElement).hidden = outcome === 'approved';
  return title;
}
