import { html, type Html } from './html.ts';
import { layout } from './layout.ts';
import type { PageAssets } from './page.asset.ts';
import { signInPart } from './sign-in.part.ts';

/** Where a person sees which agents may act for them, and takes that back. */
export function connectionPage(assets: PageAssets): Html {
  return layout({
    assets,
    path: '/connections',
    title: 'Connected agents',
    heading: 'Connected agents',
    script: 'connection.page.js',
    main: html`${signInPart} ${listSection} ${platformTemplate} ${keyTemplate} ${confirmDialog}`,
  });
}

const listSection = html`<section id="list" aria-labelledby="list-heading" hidden>
  <h2 id="list-heading" tabindex="-1">Who may act for you</h2>
  <div id="list-problem" class="box problem" role="alert" hidden>
    <p id="list-problem-text"></p>
    <button id="list-retry" type="button" class="secondary">Try again</button>
  </div>
  <div id="list-empty" class="empty" hidden>
    <p><strong>No agent is connected.</strong></p>
    <p>When an agent asks you for access, it shows a code. Enter that code to connect it.</p>
    <p><a class="button primary" href="/device">Enter a code</a></p>
  </div>
  <ul id="platforms" class="platforms"></ul>
  <nav id="paging" class="paging" aria-label="Pages of the list" hidden>
    <button id="previous" type="button" class="secondary">Previous</button>
    <span id="page-number"></span>
    <button id="next" type="button" class="secondary">Next</button>
  </nav>
</section>`;

const platformTemplate = html`<template id="platform-template">
  <li class="platform">
    <div class="platform-head">
      <div>
        <h3 data-name></h3>
        <p class="hint"><span data-kind></span> · connected <time data-created></time></p>
      </div>
      <button type="button" class="danger" data-disconnect>Disconnect</button>
    </div>
    <p class="hint" data-no-key></p>
    <ul class="keys" data-keys></ul>
  </li>
</template>`;

const keyTemplate = html`<template id="key-template">
  <li class="key">
    <div>
      <p><strong data-name></strong> <code data-prefix></code></p>
      <p class="hint">Made <time data-created></time> · <span data-used></span><span data-expires></span></p>
    </div>
    <button type="button" class="link danger-text" data-revoke>Revoke key</button>
  </li>
</template>`;

const confirmDialog = html`<dialog id="confirm" aria-labelledby="confirm-heading" aria-describedby="confirm-text">
  <form id="confirm-form" method="dialog">
    <h2 id="confirm-heading"></h2>
    <p id="confirm-text"></p>
    <p class="box problem" id="confirm-problem" role="alert" hidden></p>
    <div class="actions">
      <button id="confirm-cancel" type="button" class="secondary" autofocus>Cancel</button>
      <button id="confirm-go" type="submit" class="danger solid"></button>
    </div>
  </form>
</dialog>`;
