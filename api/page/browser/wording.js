import { codes, Problem, serviceNow } from './service.js';

const agentNames = new Map([
  ['openclaw', 'OpenClaw'],
  ['claude_desktop', 'Claude Desktop'],
  ['cursor', 'Cursor'],
  ['custom_mcp', 'Custom MCP client'],
]);

/**
 * The name of a kind of agent; one that is not known is shown as it came.
 *
 * @param {string} type
 */
export function agentName(type) {
  return agentNames.get(type) ?? type;
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });

/** @type {readonly [Intl.RelativeTimeFormatUnit, number][]} */
const units = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/**
 * `3 minutes ago`, `in 2 days`; by the clock of the service.
 *
 * @param {string} at RFC 3339
 */
export function relativeTime(at) {
  const sec = (Date.parse(at) - serviceNow()) / 1000;
  const [unit, size] = units.find(([, length]) => Math.abs(sec) >= length) ?? ['second', 1];
  if (unit === 'second') return sec > 0 ? 'in less than a minute' : 'just now';
  return relative.format(Math.trunc(sec / size), unit);
}

/**
 * `Nov 21, 2026, 13:47`, where the person is.
 *
 * @param {string} at RFC 3339
 */
export function absoluteTime(at) {
  return absolute.format(new Date(at));
}

/**
 * `2 minutes and 5 seconds`
 *
 * @param {number} sec
 */
export function duration(sec) {
  const [minutes, seconds] = [Math.floor(sec / 60), sec % 60];
  const words = [counted(minutes, 'minute'), counted(seconds, 'second')].filter((word) => !word.startsWith('0 '));
  return words.join(' and ') || '0 seconds';
}

/**
 * @param {number} count
 * @param {string} noun
 */
export function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * What to tell of a failure that says nothing about the person's input.
 *
 * @param {unknown} error
 */
export function failureText(error) {
  if (!(error instanceof Problem)) throw error;
  if (error.code === 0) return 'The service cannot be reached. Check your connection, then try again.';
  if (error.code === codes.invalid) return 'The service did not accept this. Check what you entered.';
  return 'The service has a problem at the moment. Try again in a little while.';
}
