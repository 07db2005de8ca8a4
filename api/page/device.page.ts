import { userCodeAlphabet } from '../../domain/identity/device-code.ts';
import { html, type Html } from './html.ts';
import { layout } from './layout.ts';
import type { PageAssets } from './page.asset.ts';
import { signInPart } from './sign-in.part.ts';

/** Where a person enters the code of an agent and decides. `userCode` is a valid one or empty. */
export function devicePage(assets: PageAssets, userCode: string): Html {
  return layout({
    assets,
    path: '/device',
    title: 'Enter the code – Connect an agent',
    heading: 'Connect an agent',
    script: 'device.page.js',
    main: html`
      <ol class="steps" aria-label="Steps">
        <li data-step="code" aria-current="step">Code</li>
        <li data-step="sign-in">Sign in</li>
        <li data-step="decision">Decide</li>
      </ol>
      ${codeSection(userCode)} ${signInPart} ${decisionSection} ${outcomeSection}
    `,
  });
}

function codeSection(userCode: string): Html {
  return html`<section id="code" aria-labelledby="code-heading" hidden>
    <h2 id="code-heading" tabindex="-1">Enter the code</h2>
    <form id="code-form" class="stack" method="post" novalidate>
      <p class="box problem" role="alert" data-problem hidden></p>
      <div class="field">
        <label for="user-code">Code that your agent shows</label>
        <p class="hint" id="user-code-hint">Eight letters, such as BCDF-GHJK. It is good for some minutes only.</p>
        <input
          id="user-code"
          name="user_code"
          class="code"
          type="text"
          value="${userCode}"
          data-letters="${userCodeAlphabet}"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck="false"
          maxlength="20"
          aria-describedby="user-code-hint user-code-error"
          required
        />
        <p class="error" id="user-code-error" hidden></p>
      </div>
      <div class="actions"><button type="submit" class="primary">Continue</button></div>
    </form>
  </section>`;
}

const decisionSection = html`<section id="decision" aria-labelledby="decision-heading" hidden>
  <h2 id="decision-heading" tabindex="-1">Do you want to connect <span id="agent-name"></span>?</h2>
  <p>
    It asks to act for you on the marketplace: to look around, to buy and sell, and to spend what is in your wallet.
  </p>
  <p class="compare">
    <span>Your agent must show this same code:</span>
    <strong id="shown-code" class="code"></strong>
  </p>
  <dl>
    <div>
      <dt>Kind of agent</dt>
      <dd id="agent-kind"></dd>
    </div>
    <div>
      <dt>Asked</dt>
      <dd><time id="asked-at"></time></dd>
    </div>
    <div>
      <dt>From address</dt>
      <dd id="asked-from"></dd>
    </div>
    <div>
      <dt>By program</dt>
      <dd id="asked-by"></dd>
    </div>
  </dl>
  <div class="box warning">
    <p>
      <strong>Approve only what you started yourself, just now.</strong> If somebody sent you this code or this link,
      choose Deny: they would get access to your wallet.
    </p>
  </div>
  <form id="decision-form" method="post" novalidate>
    <p class="box problem" role="alert" data-problem hidden></p>
    <div class="actions">
      <button type="submit" class="primary" value="approve">Approve</button>
      <button type="submit" class="secondary" value="deny">Deny</button>
    </div>
  </form>
</section>`;

const outcomeSection = html`<section id="outcome" aria-labelledby="outcome-heading" hidden>
  <p id="outcome-mark" class="mark" aria-hidden="true"></p>
  <h2 id="outcome-heading" tabindex="-1"></h2>
  <p id="outcome-text"></p>
  <p class="actions">
    <a id="outcome-connections" class="button secondary" href="/connections">See connected agents</a>
    <a id="outcome-again" class="button secondary" href="/device">Enter another code</a>
  </p>
</section>`;
