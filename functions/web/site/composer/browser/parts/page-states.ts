import { composerTexts as texts } from '../../texts.ts';
import { byId, form } from './elements.ts';

const showInstead = (text: string): void => {
  form.hidden = true;
  byId('instead').hidden = false;
  byId('instead-text').textContent = text;
};

/** Says that the share can't be edited, instead of the form. */
export const showNotEditable = (why: string): void => showInstead(why);

/** Says that the share was ended, instead of the form. */
export const showEnded = (): void => {
  showInstead(texts.endedNow);
  byId('instead-text').focus();
};
