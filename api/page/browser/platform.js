import { copyOf, part, say } from './element.js';
import { absoluteTime, agentName, relativeTime } from './wording.js';

/**
 * @typedef {object} Key
 * @property {string} id
 * @property {string} name
 * @property {string} prefix
 * @property {string} created_at
 * @property {string | null} last_used_at
 * @property {string | null} expires_at
 */

/**
 * @typedef {object} Connection
 * @property {string} platform_id
 * @property {string} platform_name
 * @property {string} platform_kind
 * @property {string} created_at
 * @property {Key[]} keys
 */

/**
 * The row of a platform; names are what others chose, and go in as text.
 *
 * @param {Connection} connection
 * @param {{ onDisconnect: () => void, onRevoke: (key: Key) => void }} actions
 */
export function platformRow(connection, { onDisconnect, onRevoke }) {
  const row = copyOf('platform-template');
  const name = nameOf(connection);
  part(row, 'name', HTMLElement).textContent = name;
  const isPartner = connection.platform_kind === 'partner';
  part(row, 'kind', HTMLElement).textContent = isPartner ? 'Partner platform' : 'Approved with a code';
  showTime(part(row, 'created', HTMLTimeElement), connection.created_at);
  const noKey = isPartner ? 'It calls with keys of its own platform.' : 'It has no key (any more).';
  say(part(row, 'no-key', HTMLElement), connection.keys.length > 0 ? '' : noKey);
  const disconnect = part(row, 'disconnect', HTMLButtonElement);
  disconnect.setAttribute('aria-label', `Disconnect ${name}`);
  disconnect.addEventListener('click', onDisconnect);
  part(row, 'keys', HTMLElement).append(
    ...connection.keys.map((key) => keyRow(key, keyName(key, connection), () => onRevoke(key))),
  );
  return row;
}

/**
 * The platform of all agents of a type is called after the type, such as `device:openclaw`; others named themselves.
 *
 * @param {Connection} connection
 */
export function nameOf({ platform_name: name, platform_kind: kind }) {
  return kind === 'device' ? agentName(name.replace(/^device:/, '')) : name;
}

/**
 * What a key is called, where that says more than whose it is.
 *
 * @param {Key} key
 * @param {Connection} connection
 */
function keyName({ name }, { platform_name: platform }) {
  return platform === `device:${name}` ? 'Key' : name;
}

/**
 * @param {Key} key
 * @param {string} name
 * @param {() => void} onRevoke
 */
function keyRow(key, name, onRevoke) {
  const row = copyOf('key-template');
  part(row, 'name', HTMLElement).textContent = name;
  part(row, 'prefix', HTMLElement).textContent = `${key.prefix}…`;
  showTime(part(row, 'created', HTMLTimeElement), key.created_at);
  const { last_used_at: used, expires_at: expires } = key;
  part(row, 'used', HTMLElement).textContent = used === null ? 'never used' : `last used ${relativeTime(used)}`;
  part(row, 'expires', HTMLElement).textContent = expires === null ? '' : ` · ${expiryOf(expires)}`;
  const revoke = part(row, 'revoke', HTMLButtonElement);
  revoke.setAttribute('aria-label', `Revoke key ${key.prefix}`);
  revoke.addEventListener('click', onRevoke);
  return row;
}

/** @param {string} at */
function expiryOf(at) {
  const words = relativeTime(at);
  return words.startsWith('in ') ? `expires ${words}` : `expired ${words}`;
}

/**
 * Relative in words, and the moment itself for who points at it.
 *
 * @param {HTMLTimeElement} element
 * @param {string} at
 */
function showTime(element, at) {
  element.dateTime = at;
  element.title = absoluteTime(at);
  element.textContent = relativeTime(at);
}
