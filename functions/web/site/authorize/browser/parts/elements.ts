/** Returns an element of the page, which its server renders. @throws Error without it */
export const get = <Found extends HTMLElement = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): Found => {
  const found = within.querySelector<Found>(selector);
  if (!found) throw new Error(`Missing element: ${selector}`);
  return found;
};

/** Creates an element with text, which is never markup. */
export const create = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text: string,
  attributes: Readonly<Record<string, string>> = {},
): HTMLElementTagNameMap[Name] => {
  const element = document.createElement(name);
  element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

/** Creates what a person or an app has named: its direction is its own, and it wraps anywhere. */
export const createName = (name: 'b' | 'bdi', text: string): HTMLElement =>
  create(name, text, { dir: 'auto' });
