import { isHtmlSource } from '../../content.ts';
import { composerTexts as texts } from '../../texts.ts';
import { editor, language, setLanguage } from './content.ts';
import { form } from './elements.ts';
import { notice } from './notice.ts';
import { noteChange } from './state.ts';

/** Returns whether what is pasted becomes the whole content. */
const replacesAll = (): boolean => {
  const { from, to } = editor.getSelection();
  const text = editor.getText();
  return (text.slice(0, from) + text.slice(to)).trim() === '';
};

/** Offers to share pasted HTML as HTML. */
export const startPasting = (): void => {
  form.addEventListener(
    'paste',
    ({ target, clipboardData }) => {
      if (target instanceof HTMLInputElement || language.value === 'html') return;
      if (!isHtmlSource(clipboardData?.getData('text/plain') ?? '') || !replacesAll()) return;
      const run = () => {
        setLanguage('html');
        notice.value = undefined;
        noteChange();
        editor.focus();
      };
      notice.value = { text: texts.looksLikeHtml, action: { label: texts.useHtml, run } };
    },
    { capture: true },
  );
};
