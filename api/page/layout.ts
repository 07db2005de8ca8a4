import { html, type Html } from './html.ts';
import type { PageAssets } from './page.asset.ts';

export interface Layout {
  readonly assets: PageAssets;
  readonly path: '/device' | '/connections';
  /** Of the first state; the script changes it with the state. */
  readonly title: string;
  readonly heading: string;
  readonly script: string;
  readonly main: Html;
}

const places = [
  { path: '/device', name: 'Connect an agent' },
  { path: '/connections', name: 'Connected agents' },
] as const;

// Drawn in place, so that the browser asks for no /favicon.ico.
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%231d5c57'/%3E%3Cpath d='M8 23V10l8 8 8-8v13' fill='none' stroke='%23fff' stroke-width='3' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E";

/** The frame around a page: landmarks, who is signed in, the one live region for what happens. */
export function layout({ assets, path, title, heading, script, main }: Layout): Html {
  const base = `/page/${assets.version}`;
  const modules = [...assets.files.keys()].filter((name) => name.endsWith('.js') && !name.endsWith('.page.js'));
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} – Marketplace</title>
        <link rel="icon" href="${icon}" />
        <link rel="stylesheet" href="${base}/page.css" />
        ${modules.map((name) => html`<link rel="modulepreload" href="${base}/${name}" />`)}
        <script type="module" src="${base}/${script}"></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <p class="brand"><img src="${icon}" alt="" width="28" height="28" /> Marketplace</p>
          <nav aria-label="Pages">
            <ul>
              ${places.map((place) => link(place, path))}
            </ul>
          </nav>
        </header>
        <main id="main">
          <h1>${heading}</h1>
          <noscript>
            <p class="box problem">
              This page needs JavaScript: it signs you in without cookies, and keeps your sign-in to this tab. Turn
              JavaScript on for this site and reload the page.
            </p>
          </noscript>
          <p id="who" class="who" hidden>
            <span>Signed in as <strong id="who-email"></strong></span>
            <button id="sign-out" type="button" class="link">Sign out</button>
          </p>
          <p id="status" class="status" role="status"></p>
          ${main}
        </main>
        <footer>
          <p>An approved agent can spend what is in your wallet. You can take an approval back at any time.</p>
        </footer>
      </body>
    </html> `;
}

function link({ path, name }: (typeof places)[number], current: string): Html {
  return path === current
    ? html`<li><a href="${path}" aria-current="page">${name}</a></li>`
    : html`<li><a href="${path}">${name}</a></li>`;
}
