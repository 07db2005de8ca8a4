import { byId } from './element.js';

/**
 * The states of a page, of which one is seen: each a section with a heading, which gets the focus when the state changes,
 * so that keyboards and screen readers go on where the page does.
 *
 * @template {string} Name
 * @param {Record<Name, string>} titles by the id of the section
 * @param {string} page what stands behind each title
 */
export function stepper(titles, page) {
  /** @type {Name | null} */
  let shown = null;
  const names = /** @type {Name[]} */ (Object.keys(titles));
  return {
    /** @returns {Name | null} */
    get shown() {
      return shown;
    },

    /**
     * @param {Name} name
     * @param {{ title?: string }} [options]
     */
    show(name, { title = titles[name] } = {}) {
      const isFirst = shown === null;
      shown = name;
      for (const one of names) byId(one, HTMLElement).hidden = one !== name;
      document.title = `${title} – ${page}`;
      markProgress(name === 'register' ? 'sign-in' : name);
      // On arrival the focus is the browser's: it starts at the top of the page.
      if (!isFirst) byId(`${name}-heading`, HTMLElement).focus();
    },
  };
}

/** @param {string} name */
function markProgress(name) {
  const steps = [...document.querySelectorAll('[data-step]')];
  const current = steps.findIndex((step) => step.getAttribute('data-step') === name);
  for (const [index, step] of steps.entries()) {
    step.classList.toggle('done', current === -1 || index < current);
    if (index === current) step.setAttribute('aria-current', 'step');
    else step.removeAttribute('aria-current');
  }
}
