import { on, part, say } from './element.js';
import { Problem } from './service.js';
import { duration, failureText } from './wording.js';

/** What a person entered is wrong; the message stands beside the field. */
export class FieldError extends Error {
  /**
   * @param {string} field name of the input
   * @param {string} message
   */
  constructor(field, message) {
    super(message);
    this.field = field;
  }
}

/**
 * Runs `work` when the form is sent: once at a time, with the button telling that it runs, and what goes wrong said in
 * the form. A problem that `work` does not know is one of the service.
 *
 * @param {HTMLFormElement} form
 * @param {string} busyText
 * @param {(values: Record<string, string>, button: HTMLButtonElement) => Promise<void>} work
 */
export function onSend(form, busyText, work) {
  on(form, 'submit', async (event) => {
    event.preventDefault();
    const button = event.submitter ?? form.querySelector('button[type=submit]');
    if (form.dataset['busy'] === 'true' || !(button instanceof HTMLButtonElement)) return;
    clearProblems(form);
    const text = button.textContent;
    setBusy(form, button, busyText, true);
    try {
      await work(valuesOf(form), button);
    } catch (error) {
      showProblem(form, error);
    } finally {
      // While a wait is on, it holds the form.
      setBusy(form, button, text, false);
    }
  });
  for (const input of inputsOf(form)) input.addEventListener('input', () => showFieldError(input, ''));
}

/** @param {HTMLFormElement} form */
function inputsOf(form) {
  return [...form.querySelectorAll('input')];
}

/**
 * @param {HTMLFormElement} form
 * @returns {Record<string, string>}
 */
function valuesOf(form) {
  return Object.fromEntries(inputsOf(form).map((input) => [input.name, input.value]));
}

/**
 * Buttons stay in the order of focus while they do nothing: `disabled` would throw keyboards back to the top.
 *
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement} button
 * @param {string} text
 * @param {boolean} isBusy
 */
function setBusy(form, button, text, isBusy) {
  form.setAttribute('aria-busy', String(isBusy));
  button.textContent = text;
  hold(form, isBusy || form.dataset['waiting'] === 'true');
}

/**
 * @param {HTMLFormElement} form
 * @param {boolean} isHeld
 */
function hold(form, isHeld) {
  form.dataset['busy'] = String(isHeld);
  for (const button of form.querySelectorAll('button[type=submit]')) {
    button.setAttribute('aria-disabled', String(isHeld));
  }
}

/** @param {HTMLFormElement} form */
export function clearProblems(form) {
  say(part(form, 'problem', HTMLElement), '');
  for (const input of inputsOf(form)) showFieldError(input, '');
}

/**
 * Says what went wrong: beside a field, which gets the focus, or above the form.
 *
 * @param {HTMLFormElement} form
 * @param {unknown} error
 */
export function showProblem(form, error) {
  const input = error instanceof FieldError ? inputsOf(form).find(({ name }) => name === error.field) : undefined;
  if (input !== undefined && error instanceof FieldError) {
    showFieldError(input, error.message);
    input.focus();
  } else if (error instanceof Problem && error.waitSec !== null) {
    holdFor(form, error.waitSec);
  } else {
    say(part(form, 'problem', HTMLElement), error instanceof FieldError ? error.message : failureText(error));
  }
}

/**
 * @param {HTMLInputElement} input
 * @param {string} message
 */
function showFieldError(input, message) {
  const place = document.querySelector(`#${input.id}-error`);
  if (place instanceof HTMLElement) say(place, message);
  if (message === '') input.removeAttribute('aria-invalid');
  else input.setAttribute('aria-invalid', 'true');
}

/**
 * Holds the form until the service listens again. The countdown is seen every second and read out once.
 *
 * @param {HTMLFormElement} form
 * @param {number} sec
 */
function holdFor(form, sec) {
  const box = part(form, 'problem', HTMLElement);
  const rest = document.createElement('span');
  const endsAt = Date.now() + sec * 1000;
  form.dataset['waiting'] = 'true';
  hold(form, true);
  say(box, 'Too many tries. For your safety, wait before the next one. ');
  rest.setAttribute('aria-live', 'off');
  box.append(rest);
  const tick = () => {
    const restSec = Math.ceil((endsAt - Date.now()) / 1000);
    rest.textContent = `You can try again in ${duration(Math.max(restSec, 0))}.`;
    if (restSec > 0) return;
    clearInterval(timer);
    form.dataset['waiting'] = 'false';
    hold(form, false);
    say(box, 'You can try again now.');
  };
  const timer = setInterval(tick, 1000);
  tick();
}
