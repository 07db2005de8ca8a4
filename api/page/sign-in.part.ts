import { html, type Html } from './html.ts';

/** Both forms; `hidden` as long as nobody has to sign in. Names and autocomplete are those that password managers know. */
export const signInPart: Html = html`
  <section id="sign-in" aria-labelledby="sign-in-heading" hidden>
    <h2 id="sign-in-heading" tabindex="-1">Sign in</h2>
    <form id="sign-in-form" class="stack" method="post" novalidate>
      <p class="box problem" role="alert" data-problem hidden></p>
      ${field({ id: 'sign-in-email', name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' })}
      ${field({
        id: 'sign-in-password',
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'current-password',
      })}
      <div class="actions"><button type="submit" class="primary">Sign in</button></div>
      <p>New here? <button type="button" class="link" id="to-register">Create an account</button></p>
    </form>
  </section>
  <section id="register" aria-labelledby="register-heading" hidden>
    <h2 id="register-heading" tabindex="-1">Create an account</h2>
    <form id="register-form" class="stack" method="post" novalidate>
      <p class="box problem" role="alert" data-problem hidden></p>
      ${field({
        id: 'register-name',
        name: 'display_name',
        label: 'Your name',
        hint: 'Shown to those you trade with.',
        type: 'text',
        autocomplete: 'name',
        maxLength: '100',
      })}
      ${field({ id: 'register-email', name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' })}
      ${field({
        id: 'register-password',
        name: 'password',
        label: 'Password',
        hint: 'At least 12 characters. A few words in a row are easy to keep in mind.',
        type: 'password',
        autocomplete: 'new-password',
      })}
      <div class="actions"><button type="submit" class="primary">Create account</button></div>
      <p>You have an account? <button type="button" class="link" id="to-sign-in">Sign in</button></p>
    </form>
  </section>
`;

interface Field {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly type: string;
  readonly autocomplete: string;
  readonly maxLength?: string;
}

/** An input with its label, its hint, and the place for what is wrong with it. */
function field({ id, name, label, hint = '', type, autocomplete, maxLength = '254' }: Field): Html {
  const described = hint === '' ? `${id}-error` : `${id}-hint ${id}-error`;
  return html`<div class="field">
    <label for="${id}">${label}</label>
    ${hint === '' ? '' : html`<p class="hint" id="${id}-hint">${hint}</p>`}
    <input
      id="${id}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      maxlength="${maxLength}"
      aria-describedby="${described}"
      spellcheck="false"
      autocapitalize="${type === 'text' ? 'words' : 'none'}"
      required
    />
    <p class="error" id="${id}-error" hidden></p>
  </div>`;
}
