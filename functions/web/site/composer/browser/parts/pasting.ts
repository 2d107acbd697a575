import { watchPaste } from '../../../../browser/editor/rich-paste/watch.ts';
import type { Language } from '../../../../browser/editor/text-editor.ts';
import { isHtmlPage } from '../../content.ts';
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

const use = (name: Language): void => {
  setLanguage(name);
  notice.value = undefined;
  noteChange();
  editor.focus();
};

const offerHtml = (): void => {
  const run = () => use('html');
  notice.value = { text: texts.wholePage, action: { label: texts.useHtml, run } };
};

/** Offers to share a pasted page as HTML, and to make Markdown of rich text. */
export const startPasting = (): void => {
  form.addEventListener(
    'paste',
    ({ target, clipboardData }) => {
      if (target instanceof HTMLInputElement) return;
      const isHtml = language.value === 'html';
      // Markdown within HTML would be text.
      if (isHtml && !replacesAll()) return;
      if (isHtmlPage(clipboardData?.getData('text/plain') ?? '')) {
        if (!isHtml && replacesAll()) offerHtml();
        return;
      }
      watchPaste(clipboardData, {
        editor,
        show: (offer) => {
          notice.value = offer;
        },
        noteConverted: () => use('markdown'),
      });
    },
    { capture: true },
  );
};
