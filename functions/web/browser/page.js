import { messageOf } from './api.js';
import { commonTexts as texts } from './texts.ts';

/** @param {string} id @returns {any} the element, of whatever kind the page has there */
export const byId = (id) => document.getElementById(id);

/** @param {string} id @param {string} text */
export const say = (id, text) => {
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
    say(place, texts.copied);
  } catch {
    say(place, texts.copyByHand);
  }
};

/**
 * Does what a button of a section is for, and says below it what came of it.
 * @param {string} section
 * @param {() => Promise<string>} act
 */
export const attempt = async (section, act) => {
  say(`${section}-wrong`, '');
  say(`${section}-done`, '');
  try {
    say(`${section}-done`, await act());
  } catch (failure) {
    say(`${section}-wrong`, messageOf(failure));
  }
};
