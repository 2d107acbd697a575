import { ApiError } from '../../../../../browser/client/api-error.ts';
import { clientTexts } from '../../../../../browser/client/texts.ts';
import { formTexts as texts } from '../../../texts.ts';

const getFields = (form: HTMLFormElement): readonly HTMLInputElement[] => [
  ...form.querySelectorAll<HTMLInputElement>('.in'),
];

const getLabel = ({ labels }: HTMLInputElement): string => labels?.[0]?.textContent ?? '';

/** Returns what is wrong with a field; empty if nothing is. */
export const checkField = (field: HTMLInputElement): string => {
  const { value, validity, minLength, dataset, form } = field;
  const repeated = form?.elements.namedItem(dataset['repeats'] ?? '');
  if (repeated instanceof HTMLInputElement) {
    return value === repeated.value ? '' : texts.mismatch;
  }
  if (validity.valueMissing) return texts.missing(getLabel(field));
  if (validity.typeMismatch) return texts.noEmail;
  return value.length < minLength ? texts.tooShort(minLength) : '';
};

/** Shows beside a field what is wrong with it; nothing if the message is empty. */
export const showWrong = (field: HTMLInputElement, message: string): void => {
  const place = document.getElementById(`${field.id}-error`);
  if (place) place.textContent = message;
  if (message === '') field.removeAttribute('aria-invalid');
  else field.setAttribute('aria-invalid', 'true');
};

const isInvalid = (field: HTMLInputElement): boolean =>
  field.getAttribute('aria-invalid') === 'true';

/** Focuses the first invalid field. Returns whether there is one. */
const focusInvalid = (form: HTMLFormElement): boolean => {
  const first = getFields(form).find(isInvalid);
  first?.focus();
  return first !== undefined;
};

const toSentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;

const showNote = (form: HTMLFormElement, kind: 'failure' | 'done', message: string): void => {
  const note = form.querySelector<HTMLElement>(`[data-${kind}]`);
  if (!note) return;
  (note.querySelector('span') ?? note).textContent = message;
  note.hidden = message === '';
};

/** Shows an error: beside the fields that it names, or else above the button. */
const showFailure = (form: HTMLFormElement, error: unknown): void => {
  const isKnown = error instanceof ApiError;
  for (const { field: name, message } of isKnown ? error.details : []) {
    const field = getFields(form).find((candidate) => candidate.name === name);
    if (field && !isInvalid(field)) showWrong(field, toSentence(message));
  }
  const password = form.elements.namedItem('password');
  if (isKnown && error.status === 401 && password instanceof HTMLInputElement) {
    showWrong(password, error.message);
    password.select();
  }
  if (focusInvalid(form)) return;
  showNote(form, 'failure', isKnown ? error.message : clientTexts.failed);
};

const checkWhenLeft = (form: HTMLFormElement): void => {
  form.addEventListener('focusout', ({ target, relatedTarget }) => {
    // Only on the way to the next field: what appears must not move the button or link that is being pressed.
    if (!(target instanceof HTMLInputElement) || !(relatedTarget instanceof HTMLInputElement))
      return;
    if (target.value !== '') showWrong(target, checkField(target));
  });
  form.addEventListener('input', () => {
    for (const field of getFields(form)) {
      if (isInvalid(field)) showWrong(field, checkField(field));
    }
  });
};

const handleReveal = (form: HTMLFormElement): void => {
  const button = form.querySelector<HTMLButtonElement>('[data-reveals]');
  const passwords = form.querySelectorAll<HTMLInputElement>('[type="password"]');
  button?.addEventListener('click', () => {
    const isShown = button.getAttribute('aria-pressed') !== 'true';
    button.setAttribute('aria-pressed', String(isShown));
    for (const password of passwords) password.type = isShown ? 'text' : 'password';
  });
};

/**
 * Handles a form: checks its fields when they are left and when it is submitted. `send` gets the values and returns what
 * to say when it is done; without that, the form stays busy while the page is left.
 */
export const handleForm = (
  id: string,
  send: (values: Record<string, FormDataEntryValue>) => Promise<string | undefined>,
): void => {
  const form = document.getElementById(id);
  if (!(form instanceof HTMLFormElement)) return;
  const button = form.querySelector('[type="submit"]');
  checkWhenLeft(form);
  handleReveal(form);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (!button || button.getAttribute('aria-busy') === 'true') return;
    showNote(form, 'failure', '');
    showNote(form, 'done', '');
    for (const field of getFields(form)) showWrong(field, checkField(field));
    if (focusInvalid(form)) return;
    button.setAttribute('aria-busy', 'true');
    try {
      const message = await send(Object.fromEntries(new FormData(form)));
      if (message === undefined) return;
      form.reset();
      showNote(form, 'done', message);
    } catch (error) {
      showFailure(form, error);
    }
    button.removeAttribute('aria-busy');
  });
};
