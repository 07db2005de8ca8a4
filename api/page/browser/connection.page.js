import { askToConfirm } from './confirm.js';
import { announce, byId, on, say } from './element.js';
import { nameOf, platformRow } from './platform.js';
import { codes, Problem } from './service.js';
import { callSignedIn, currentSession, SignedOut } from './session.js';
import { startSignIn } from './sign-in.js';
import { stepper } from './step.js';
import { counted, duration, failureText } from './wording.js';

/** @typedef {import('./platform.js').Connection} Connection */
/** @typedef {import('./platform.js').Key} Key */

const steps = stepper(
  { 'sign-in': 'Sign in', register: 'Create an account', list: 'Who may act for you' },
  'Connected agents – Marketplace',
);
const pageSize = 10;
let page = 1;

/** Shows the sign-in when it is missing, the list otherwise; a failure is said above what is left of the list. */
async function showList() {
  if (currentSession() === null) return steps.show('sign-in');
  try {
    fill(await callSignedIn('GET', `/connections?page=${page}&page_size=${pageSize}`));
    showProblem('');
  } catch (error) {
    if (error instanceof SignedOut) return askAgain();
    const waitSec = error instanceof Problem ? error.waitSec : null;
    showProblem(waitSec === null ? failureText(error) : `Too many requests. Try again in ${duration(waitSec)}.`);
  }
  if (steps.shown !== 'list') steps.show('list');
}

function askAgain() {
  steps.show('sign-in');
  announce('Your sign-in has ended. Sign in again to go on.');
}

/** @param {string} text */
function showProblem(text) {
  say(byId('list-problem-text', HTMLElement), text);
  byId('list-problem', HTMLElement).hidden = text === '';
}

/** @param {{ items: Connection[], total: number, has_more: boolean }} answer */
function fill({ items, total, has_more: hasMore }) {
  const rows = items.map((connection) =>
    platformRow(connection, {
      onDisconnect: () => disconnect(connection),
      onRevoke: (key) => revoke(connection, key),
    }),
  );
  byId('platforms', HTMLElement).replaceChildren(...rows);
  byId('list-empty', HTMLElement).hidden = total > 0;
  byId('paging', HTMLElement).hidden = page === 1 && !hasMore;
  byId('previous', HTMLButtonElement).disabled = page === 1;
  byId('next', HTMLButtonElement).disabled = !hasMore;
  byId('page-number', HTMLElement).textContent =
    `Page ${page} of ${Math.max(1, Math.ceil(total / pageSize))}, ${counted(total, 'agent')}`;
}

/** @param {Connection} connection */
function disconnect(connection) {
  const name = nameOf(connection);
  askToConfirm({
    heading: `Disconnect ${name}?`,
    text: `It can no longer act for you, and every key that it got from you stops working at once. What it has bought or sold stays as it is.`,
    action: 'Disconnect',
    busy: 'Disconnecting…',
    work: () => remove(`/connections/${connection.platform_id}`),
    onDone: () => showWithout(`${name} is disconnected.`),
  });
}

/**
 * @param {Connection} connection
 * @param {Key} key
 */
function revoke(connection, key) {
  askToConfirm({
    heading: `Revoke the key ${key.prefix}…?`,
    text: `The program that holds this key of ${nameOf(connection)} loses its access at once. To use it again, connect it again.`,
    action: 'Revoke key',
    busy: 'Revoking…',
    work: () => remove(`/connections/${connection.platform_id}/keys/${key.id}`),
    onDone: () => showWithout(`The key ${key.prefix}… is revoked.`),
  });
}

/** @param {string} path */
async function remove(path) {
  try {
    await callSignedIn('DELETE', path);
  } catch (error) {
    // Signed out: the list that follows asks to sign in. Not found: gone already, from another tab, as was wanted.
    const isGone = error instanceof Problem && error.code === codes.notFound;
    if (!isGone && !(error instanceof SignedOut)) throw error;
  }
}

/** @param {string} done what has happened */
async function showWithout(done) {
  if (currentSession() === null) return askAgain();
  await showList();
  if (page > 1 && byId('platforms', HTMLElement).childElementCount === 0) await turn(-1);
  announce(done);
  // The button that was pressed is gone; its list is the nearest thing that stays.
  byId('list-heading', HTMLElement).focus();
}

/** @param {1 | -1} by */
async function turn(by) {
  page += by;
  await showList();
  announce(byId('page-number', HTMLElement).textContent);
  byId('list-heading', HTMLElement).focus();
}

on(byId('previous', HTMLButtonElement), 'click', async () => await turn(-1));
on(byId('next', HTMLButtonElement), 'click', async () => await turn(1));
on(byId('list-retry', HTMLButtonElement), 'click', async () => await showList());
startSignIn({
  show: (form) => steps.show(form),
  onSignedIn: showList,
  onSignedOut: () => {
    page = 1;
    byId('platforms', HTMLElement).replaceChildren();
    steps.show('sign-in');
  },
});
await showList();
