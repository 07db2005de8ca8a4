import { announce, byId, on } from './element.js';
import { clearProblems, FieldError, onSend } from './form.js';
import { call, codes, Problem } from './service.js';
import { currentSession, signIn, signOut } from './session.js';

const minPasswordCharacters = 12;

/** @type {Record<string, string>} */
const fieldTexts = {
  email: 'Enter your e-mail address, such as ada@example.com.',
  password: `Choose a password of at least ${minPasswordCharacters} characters.`,
  display_name: 'Enter your name, up to 100 characters.',
};

/**
 * Brings the two forms and the line about who is signed in to life.
 *
 * @param {{
 *   show: (form: 'sign-in' | 'register') => void,
 *   onSignedIn: () => Promise<void>,
 *   onSignedOut: () => void,
 * }} page
 */
export function startSignIn({ show, onSignedIn, onSignedOut }) {
  const forms = {
    'sign-in': byId('sign-in-form', HTMLFormElement),
    register: byId('register-form', HTMLFormElement),
  };
  onSend(forms['sign-in'], 'Signing in…', async ({ email = '', password = '' }) => {
    await enter(email, password);
    forms['sign-in'].reset();
    await onSignedIn();
  });
  onSend(forms.register, 'Creating your account…', async ({ display_name: name = '', email = '', password = '' }) => {
    await register(name, email, password);
    await enter(email, password);
    forms.register.reset();
    await onSignedIn();
  });
  for (const name of /** @type {const} */ (['sign-in', 'register'])) {
    byId(`to-${name}`, HTMLButtonElement).addEventListener('click', () => {
      clearProblems(forms[name]);
      show(name);
    });
  }
  on(byId('sign-out', HTMLButtonElement), 'click', async () => {
    await signOut();
    onSignedOut();
    announce('You are signed out.');
  });
  document.addEventListener('session', showWho);
  showWho();
}

function showWho() {
  const session = currentSession();
  byId('who', HTMLElement).hidden = session === null;
  byId('who-email', HTMLElement).textContent = session?.email ?? '';
}

/**
 * @param {string} email
 * @param {string} password
 */
async function enter(email, password) {
  if (!isEmail(email)) throw new FieldError('email', fieldTexts['email'] ?? '');
  if (password === '') throw new FieldError('password', 'Enter your password.');
  try {
    await signIn(email, password);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === codes.forbidden) throw elsewhere();
    if (![codes.unauthenticated, codes.invalid].includes(error.code)) throw error;
    throw new FieldError('password', 'E-mail address or password is wrong.');
  }
}

/**
 * @param {string} name
 * @param {string} email
 * @param {string} password
 */
async function register(name, email, password) {
  const wrong = [
    ['display_name', name.trim() !== ''],
    ['email', isEmail(email)],
    ['password', password.length >= minPasswordCharacters],
  ].find(([, isRight]) => isRight === false);
  if (wrong !== undefined) throw refused(String(wrong[0]));
  try {
    await call('POST', '/auth/register', { body: { email, password, display_name: name } });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === codes.conflict) throw new FieldError('email', 'This address has an account. Sign in instead.');
    if (error.code === codes.forbidden) throw elsewhere();
    if (error.code !== codes.invalid) throw error;
    throw refused(String(error.data?.['errors']?.[0]?.path));
  }
}

/** Where an OpenID provider signs people in, a password opens nothing, and these forms can do no more than say so. */
function elsewhere() {
  return new FieldError('', 'No password opens an account here. Sign in, and approve your agent, where you always do.');
}

/** @param {string} field */
function refused(field) {
  return new FieldError(field, fieldTexts[field] ?? 'Check what you entered.');
}

/** @param {string} text */
function isEmail(text) {
  return /^\s*[^\s@]+@[^\s@]+\.[^\s@]+\s*$/.test(text);
}
