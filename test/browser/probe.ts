// oxlint-disable unicorn/consistent-function-scoping -- what runs in the page must have everything in itself.
import type { Page } from 'playwright-core';

/** What is wrong with the page as it stands: by hand, what a checker of accessibility looks for. */
export async function flawsOf(page: Page): Promise<string[]> {
  const checks = [structureFlaws, nameFlaws, contrastFlaws, overflowFlaws];
  const found = await Promise.all(checks.map(async (check) => await page.evaluate(check)));
  return found.flat();
}

// Each of these runs in the page, and can use nothing from around it.

function structureFlaws(): string[] {
  const seen = (selector: string) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  const counts = { h1: 1, main: 1, 'body > header': 1, 'body > footer': 1, '[role=status]': 1 };
  const wrong = Object.entries(counts).filter(([selector, count]) => seen(selector).length !== count);
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  const levels = seen('h1, h2, h3').map(({ tagName }) => Number(tagName.slice(1)));
  return [
    ...wrong.map(([selector]) => `${seen(selector).length} of ${selector}`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `two of #${id}`),
    ...levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1).map((level) => `h${level} skips a level`),
    ...seen('nav:not([aria-label])').map(() => 'a nav without a name'),
    ...(document.documentElement.lang === 'en' ? [] : ['no lang']),
    ...(document.title === '' ? ['no title'] : []),
  ];
}

function nameFlaws(): string[] {
  const described = [...document.querySelectorAll('[aria-describedby], [aria-labelledby]')];
  const references = described.flatMap((one) =>
    `${one.getAttribute('aria-describedby') ?? ''} ${one.getAttribute('aria-labelledby') ?? ''}`.split(' '),
  );
  const inputs = [...document.querySelectorAll('input')];
  const actions = [...document.querySelectorAll('button, a')].filter((one) => one.checkVisibility());
  return [
    ...inputs.filter(({ labels }) => labels?.length !== 1).map(({ id }) => `#${id} has no label`),
    ...inputs.filter(({ autocomplete }) => autocomplete === '').map(({ id }) => `#${id} has no autocomplete`),
    ...references.filter((id) => id !== '' && document.querySelector(`#${id}`) === null).map((id) => `no #${id}`),
    ...actions
      .filter((one) => (one.getAttribute('aria-label') ?? one.textContent).trim() === '')
      .map((one) => `a nameless ${one.outerHTML}`),
    ...[...document.querySelectorAll('img:not([alt])')].map(() => 'an image without alt'),
  ];
}

function contrastFlaws(): string[] {
  type Colour = readonly [red: number, green: number, blue: number, alpha: number];
  const parse = (text: string): Colour => {
    const [red = 0, green = 0, blue = 0, alpha = 1] = (text.match(/[\d.]+/g) ?? []).map(Number);
    return [red, green, blue, alpha];
  };
  const luminance = ([red, green, blue]: Colour) => {
    const linear = (value: number) => (value <= 10.31475 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  };
  const groundOf = (from: Element): Colour => {
    for (let one: Element | null = from; one !== null; one = one.parentElement) {
      const colour = parse(getComputedStyle(one).backgroundColor);
      if (colour[3] === 1) return colour;
    }
    return [255, 255, 255, 1];
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const flaws: string[] = [];
  let looked = 0;
  while (texts.nextNode() !== null) {
    const element = texts.currentNode.parentElement;
    const text = texts.currentNode.textContent?.trim() ?? '';
    if (element === null || text === '' || !element.checkVisibility() || element.closest(':disabled') !== null)
      continue;
    looked += 1;
    const [light = 0, dark = 0] = [parse(getComputedStyle(element).color), groundOf(element)]
      .map(luminance)
      .toSorted((a, b) => b - a);
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < 4.5) flaws.push(`${ratio.toFixed(2)} : 1 for “${text}”`);
  }
  return looked > 5 ? flaws : ['the contrast of too few texts was looked at'];
}

function overflowFlaws(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth > clientWidth ? [`${scrollWidth} px wide on ${clientWidth} px`] : [];
}
