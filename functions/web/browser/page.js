import { getMessage } from './api.js';
import { commonTexts as texts } from './texts.ts';

/** @param {string} id @returns {any} the element, of whatever kind the page has there */
export const byId = (id) => document.getElementById(id);

/** @param {string} id @param {string} text */
export const setText = (id, text) => {
  byId(id).textContent = text;
};

/**
 * @param {string} tag
 * @param {string} className
 * @param {string} [text]
 */
export const element = (tag, className, text = '') => {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
};

/**
 * Copies what an input holds, and says at `place` what came of it.
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
 * Does what a button of a section is for, and says below it what came of it.
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
