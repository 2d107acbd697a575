import { ApiError, getMessage } from './api.js';
import { byId } from './page.js';

/** @param {string} message */
const asSentence = (message) => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;

/**
 * What the API names is a control, or a part of one: `permissions.0`.
 * @param {HTMLFormElement} form
 * @param {string} name
 * @returns {any}
 */
const getControl = (form, name) => form.elements.namedItem(name.split('.')[0] ?? name);

/** @param {HTMLFormElement} form */
export const clearFailures = (form) => {
  for (const place of form.querySelectorAll('.wrong, .done')) place.textContent = '';
  for (const control of form.querySelectorAll('[aria-invalid]')) {
    control.removeAttribute('aria-invalid');
  }
};

/**
 * Shows beside each field what is wrong with it, the rest below the form, and goes to the first wrong one.
 * @param {HTMLFormElement} form
 * @param {unknown} failure
 */
export const showFailure = (form, failure) => {
  const details = failure instanceof ApiError ? failure.details : [];
  for (const { field, message } of details) {
    const control = getControl(form, field);
    const place = byId(`${control?.id}-wrong`);
    if (place?.textContent !== '') continue;
    control.setAttribute('aria-invalid', 'true');
    place.textContent = asSentence(message);
  }
  const first = /** @type {HTMLElement | null} */ (form.querySelector('[aria-invalid]'));
  if (first) return first.focus();
  const place = form.querySelector('[data-failure]');
  if (place) place.textContent = getMessage(failure);
};

/**
 * Sends a form by `send`, which is given the fields' texts and answers what to tell when it is done.
 * @param {HTMLFormElement} form
 * @param {(values: any) => Promise<string>} send
 */
export const onSubmit = (form, send) => {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (form.ariaBusy === 'true') return;
    form.ariaBusy = 'true';
    clearFailures(form);
    try {
      const told = await send(Object.fromEntries(new FormData(form)));
      const place = form.querySelector('.done');
      if (place) place.textContent = told;
    } catch (failure) {
      showFailure(form, failure);
    } finally {
      form.ariaBusy = 'false';
    }
  });
  const toggle = form.querySelector('[data-shows-passwords]');
  const passwords = form.querySelectorAll('input[type="password"]');
  toggle?.addEventListener('click', () => {
    const isShown = toggle.getAttribute('aria-pressed') !== 'true';
    toggle.setAttribute('aria-pressed', String(isShown));
    for (const password of passwords) {
      password.setAttribute('type', isShown ? 'text' : 'password');
    }
  });
};
