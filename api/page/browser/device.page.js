import { announce, byId } from './element.js';
import { clearProblems, FieldError, onSend, showProblem } from './form.js';
import { showOutcome } from './outcome.js';
import { showRequest } from './request.js';
import { codes, Problem, serviceNow } from './service.js';
import { callSignedIn, currentSession, SignedOut } from './session.js';
import { startSignIn } from './sign-in.js';
import { stepper } from './step.js';

/** @typedef {import('./request.js').DeviceRequest} DeviceRequest */
/** @typedef {import('./outcome.js').Outcome} Outcome */

const steps = stepper(
  {
    code: 'Enter the code',
    'sign-in': 'Sign in',
    register: 'Create an account',
    decision: 'Approve or deny',
    outcome: 'Done',
  },
  'Connect an agent – Marketplace',
);
const codeForm = byId('code-form', HTMLFormElement);
const codeInput = byId('user-code', HTMLInputElement);
const decisionForm = byId('decision-form', HTMLFormElement);
const validCode = new RegExp(`^[${codeInput.dataset['letters']}]{8}$`);

/** @type {ReturnType<typeof setTimeout> | undefined} */
let expiry;

/** @param {Outcome} outcome */
function finish(outcome) {
  clearTimeout(expiry);
  announce('');
  steps.show('outcome', { title: showOutcome(outcome) });
}

/** Asks for the request behind the code, signed in or not; what is wrong with the code is said at its field. */
async function goOn() {
  if (currentSession() === null) return steps.show('sign-in');
  try {
    await lookUp();
  } catch (error) {
    if (error instanceof SignedOut) return askAgain();
    if (steps.shown !== 'code') steps.show('code');
    showProblem(codeForm, error);
  }
}

function askAgain() {
  steps.show('sign-in');
  announce('Your sign-in has ended. Sign in again to go on.');
}

async function lookUp() {
  const request = await found(codeInput.value);
  if (request.status === 'approved' || request.status === 'denied') return finish(request.status);
  clearProblems(decisionForm);
  announce('');
  showRequest(request);
  steps.show('decision');
  clearTimeout(expiry);
  expiry = setTimeout(
    () => {
      if (steps.shown === 'decision' && decisionForm.dataset['busy'] !== 'true') finish('expired');
    },
    Date.parse(request.expires_at) - serviceNow(),
  );
}

/**
 * @param {string} code
 * @returns {Promise<DeviceRequest>}
 */
async function found(code) {
  try {
    return await callSignedIn('GET', `/auth/device-auth/lookup?user_code=${encodeURIComponent(code)}`);
  } catch (error) {
    if (!(error instanceof Problem) || ![codes.notFound, codes.invalid, codes.expired].includes(error.code))
      throw error;
    throw new FieldError(
      'user_code',
      'No agent is waiting with this code. Compare it letter by letter, or ask your agent for a new one: a code lasts some minutes only.',
    );
  }
}

/** @param {boolean} approve */
async function decide(approve) {
  try {
    const body = { user_code: codeInput.value, approve };
    finish((await callSignedIn('POST', '/auth/device-auth/confirm', body)).status);
  } catch (error) {
    if (error instanceof SignedOut) askAgain();
    else if (!(error instanceof Problem)) throw error;
    else if (error.code === codes.expired || error.code === codes.notFound) finish('expired');
    // Decided in another tab, or by a click whose answer was lost.
    else if (error.code === codes.conflict) finish(await decidedBefore());
    else throw error;
  }
}

/** @returns {Promise<Outcome>} */
async function decidedBefore() {
  const request = await found(codeInput.value).catch(() => null);
  return request?.status === 'approved' || request?.status === 'denied' ? request.status : 'decided';
}

onSend(codeForm, 'Checking…', async ({ user_code: given = '' }) => {
  const code = given.toUpperCase().replaceAll(/[\s\-‐-―−]/g, '');
  if (code === '') throw new FieldError('user_code', 'Enter the code that your agent shows.');
  if (!validCode.test(code)) {
    throw new FieldError(
      'user_code',
      'This is no code: it has eight letters, no vowels and no digits. Check it again.',
    );
  }
  codeInput.value = `${code.slice(0, 4)}-${code.slice(4)}`;
  await goOn();
});
onSend(decisionForm, 'One moment…', async (_, button) => await decide(button.value === 'approve'));
startSignIn({
  show: (form) => steps.show(form),
  onSignedIn: goOn,
  onSignedOut: () => {
    clearTimeout(expiry);
    steps.show('code');
  },
});
steps.show('code');
