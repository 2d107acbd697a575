import { mostBytes } from '../../content.ts';
import { composerTexts as texts } from '../../texts.ts';
import { countContentBytes, editor, language } from './content.ts';
import { byId, contentError, fields, form, more, options } from './elements.ts';
import { tooLargeText } from './file.ts';
import { failure } from './notice.ts';

/** A field of the API and what is wrong with it. */
export interface Detail {
  readonly field: string;
  readonly message: string;
}

/** The controls of fields of the API with other names. */
const controlNames: ReadonlyMap<string, string> = new Map([
  ['expiresIn', 'expires'],
  ['language', 'content'],
]);

const toSentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;

/** Removes all messages about failures. */
export const clearFailures = (): void => {
  failure.value = undefined;
  for (const place of form.querySelectorAll('.err')) place.textContent = '';
  for (const control of fields.values()) control.ariaInvalid = null;
  editor.setInvalid(false);
};

/** Returns why the content can't be shared; `undefined` if it can. */
export const findContentFault = (): string | undefined => {
  const size = countContentBytes();
  if (size === 0) return texts.empty;
  return size > mostBytes[language.value] ? tooLargeText(language.value, size) : undefined;
};

/** Says why the content can't be shared. */
export const refuseContent = (text: string): void => {
  contentError.textContent = text;
  editor.setInvalid(true);
  editor.focus();
};

/** Shows messages beside their fields, and focuses the first. Returns whether there is one. */
export const showDetails = (details: readonly Detail[]): boolean => {
  for (const { field, message } of details) {
    const name = field.split('.')[0] ?? field;
    const controlName = controlNames.get(name) ?? name;
    if (controlName === 'content') refuseContent(toSentence(message));
    const control = fields.get(controlName);
    if (!control) continue;
    const place = byId(`share-${controlName}-wrong`);
    if (place.textContent !== '') continue;
    control.ariaInvalid = 'true';
    if (more.contains(control)) more.open = true;
    place.textContent = toSentence(message);
  }
  if (options.querySelector('[aria-invalid]')) {
    options.showPopover({ source: byId('chip-password') });
  }
  const first = form.querySelector<HTMLElement>('[aria-invalid]');
  first?.focus();
  return first !== null || contentError.textContent !== '';
};
