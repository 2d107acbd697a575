import { formatBytes, getMostBytes } from '../../content.ts';
import { composerTexts as texts } from '../../texts.ts';
import { peopleError } from './audience/audience.ts';
import { countContentBytes, editor, language } from './content.ts';
import { contentError, fields, form } from './elements.ts';
import { tooLargeText } from './file.ts';
import { failure } from './notice.ts';
import { files } from './open-files.ts';
import { isSealed } from './sealing/sealed.ts';

/** Removes all messages about failures. */
export const clearFailures = (): void => {
  failure.value = undefined;
  peopleError.value = undefined;
  for (const place of form.querySelectorAll('.err[id^=share]')) place.textContent = '';
  for (const control of fields.values()) control.ariaInvalid = null;
  editor.setInvalid(false);
};

/** Returns why the content can't be shared; `undefined` if it can. */
export const findContentFault = (): string | undefined => {
  const size = countContentBytes();
  if (size === 0) return files.opened?.canBeAlone() ? undefined : texts.empty;
  return size > getMostBytes(language.value, isSealed.value)
    ? tooLargeText(language.value, formatBytes(size))
    : undefined;
};

/** Says why the content can't be shared. */
export const refuseContent = (text: string): void => {
  contentError.textContent = text;
  editor.setInvalid(true);
  editor.focus();
};
