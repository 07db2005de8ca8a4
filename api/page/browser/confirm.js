import { byId, on, say } from './element.js';
import { failureText } from './wording.js';

const dialog = byId('confirm', HTMLDialogElement);
const form = byId('confirm-form', HTMLFormElement);
const go = byId('confirm-go', HTMLButtonElement);
const problem = byId('confirm-problem', HTMLElement);

/**
 * @typedef {object} Question
 * @property {string} heading
 * @property {string} text
 * @property {string} action
 * @property {string} busy
 * @property {() => Promise<void>} work
 * @property {() => Promise<void>} onDone after the dialog has closed, and given the focus back
 */

/** @type {Question | null} */
let asked = null;

/**
 * Asks before something that cannot be undone, and does it in the open dialog: a failure is said there, and can be
 * tried again.
 *
 * @param {Question} question
 */
export function askToConfirm(question) {
  asked = question;
  byId('confirm-heading', HTMLElement).textContent = question.heading;
  byId('confirm-text', HTMLElement).textContent = question.text;
  go.textContent = question.action;
  say(problem, '');
  dialog.showModal();
}

on(form, 'submit', async (event) => {
  event.preventDefault();
  const question = asked;
  if (question === null || form.dataset['busy'] === 'true') return;
  setBusy(true, question.busy);
  say(problem, '');
  const isDone = await attempt(question);
  setBusy(false, question.action);
  if (!isDone) return;
  dialog.close();
  await question.onDone();
});
byId('confirm-cancel', HTMLButtonElement).addEventListener('click', () => dialog.close());

/**
 * @param {Question} question
 * @returns {Promise<boolean>} false where it failed and may be tried again
 */
async function attempt({ work }) {
  try {
    await work();
    return true;
  } catch (error) {
    say(problem, failureText(error));
    return false;
  }
}

/**
 * @param {boolean} isBusy
 * @param {string} text
 */
function setBusy(isBusy, text) {
  form.dataset['busy'] = String(isBusy);
  go.setAttribute('aria-disabled', String(isBusy));
  go.textContent = text;
}
