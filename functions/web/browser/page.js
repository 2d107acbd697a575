import { getMessage } from './api.js';
import { commonTexts as texts } from './texts.ts';

/** Returns the element with an id. @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/** Sets the text of an element. @param {string} id @param {string} text */
export const setText = (id, text) => {
  byId(id).textContent = text;
};

/**
 * Creates an element.
 * @param {string} tag
 * @param {string} className
 * @param {string} [text]
 */
export const createElement = (tag, className, text = '') => {
  const node = document.createElement(tag);
  node.className = className;
  node.textContent = text;
  return node;
};

/**
 * Copies the value of an input, and shows the result at `place`.
 * @param {HTMLInputElement} input
 * @param {string} place
 */
export const copy = async (input, place) => {
  input.select();
  try {
    await navigator.clipboard.writeText(input.value);
    setText(place, texts.copied);
  } catch {
    setText(place, texts.copyByHand);
  }
};

/**
 * Runs the action of a section, and shows its confirmation or error there.
 * @param {string} section
 * @param {() => Promise<string>} act
 */
export const runAction = async (section, act) => {
  setText(`${section}-wrong`, '');
  setText(`${section}-done`, '');
  try {
    setText(`${section}-done`, await act());
  } catch (failure) {
    setText(`${section}-wrong`, getMessage(failure));
  }
};
