import { ApiError, getMessage } from './api.js';
import { byId } from './page.js';

/** @param {string} message */
const toSentence = (message) => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;

/**
 * Returns the control of a field that the API names, such as `permissions.0`.
 * @param {HTMLFormElement} form
 * @param {string} name
 * @returns {any}
 */
const getControl = (form, name) => form.elements.namedItem(name.split('.')[0] ?? name);

/** Removes all messages of a form. @param {HTMLFormElement} form */
export const clearFailures = (form) => {
  for (const place of form.querySelectorAll('.wrong, .done')) place.textContent = '';
  for (const control of form.querySelectorAll('[aria-invalid]')) {
    control.removeAttribute('aria-invalid');
  }
};

/**
 * Shows an error: details beside their fields, anything else below the form. Focuses the first invalid field.
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
    place.textContent = toSentence(message);
  }
  const first = /** @type {HTMLElement | null} */ (form.querySelector('[aria-invalid]'));
  if (first) return first.focus();
  const place = form.querySelector('[data-failure]');
  if (place) place.textContent = getMessage(failure);
};

/**
 * Handles the submission of a form. `send` gets the field values and returns the confirmation to show.
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
      const message = await send(Object.fromEntries(new FormData(form)));
      const place = form.querySelector('.done');
      if (place) place.textContent = message;
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
