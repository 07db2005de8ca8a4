/**
 * Finds what the server rendered; where script and markup disagree it fails at once, and by name.
 *
 * @template {Element} T
 * @param {string} id
 * @param {{ new (): T }} kind
 * @returns {T}
 */
export function byId(id, kind) {
  return known(document.querySelector(`#${id}`), id, kind);
}

/**
 * The same for a part of something, by its data attribute.
 *
 * @template {Element} T
 * @param {ParentNode} parent
 * @param {string} name
 * @param {{ new (): T }} kind
 * @returns {T}
 */
export function part(parent, name, kind) {
  return known(parent.querySelector(`[data-${name}]`), name, kind);
}

/**
 * @template {Element} T
 * @param {Element | null} found
 * @param {string} name
 * @param {{ new (): T }} kind
 * @returns {T}
 */
function known(found, name, kind) {
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} ${name}`);
  return found;
}

/**
 * A fresh copy of a template's one element.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
export function copyOf(id) {
  const first = byId(id, HTMLTemplateElement).content.firstElementChild;
  const copy = first === null ? null : document.importNode(first, true);
  if (!(copy instanceof HTMLElement)) throw new Error(`the template ${id} is empty`);
  return copy;
}

/**
 * Says what happened, to eyes and to screen readers; an empty text clears it.
 *
 * @param {string} text
 */
export function announce(text) {
  byId('status', HTMLElement).textContent = text;
}

/**
 * Shows a text in a place that is hidden while it has nothing to say.
 *
 * @param {HTMLElement} place
 * @param {string} text
 */
export function say(place, text) {
  place.textContent = text;
  place.hidden = text === '';
}

/**
 * Runs `work` at each event of this kind. What it throws is a fault of ours, and shows in the console.
 *
 * @template {keyof HTMLElementEventMap} Kind
 * @param {HTMLElement} element
 * @param {Kind} kind
 * @param {(event: HTMLElementEventMap[Kind]) => Promise<unknown>} work
 */
export function on(element, kind, work) {
  element.addEventListener(kind, (event) => void work(event));
}
