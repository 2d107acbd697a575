import { signal } from '@preact/signals';
import { countBytes } from '../../../../../../shared/text/count-bytes.ts';
import { createEditor } from '../../../../browser/editor/editor.ts';
import type { Language } from '../../../../browser/editor/text-editor.ts';
import { composerTexts as texts } from '../../texts.ts';
import { area, contentError, controls } from './elements.ts';

const toLanguage = (value: string): Language => (value === 'html' ? 'html' : 'markdown');

/** The language of the content. */
export const language = signal(toLanguage(controls.language.value));

/** Counts the changes of the content. */
export const revision = signal(0);

/** The element that scrolls the content: first the textarea, then CodeMirror. */
export const scroller = signal<HTMLElement>(area);

/** The editor of the content. */
export const editor = createEditor(area, {
  language: language.value,
  label: texts.content,
  describedBy: contentError,
  noteChange: () => {
    revision.value++;
  },
  noteTakeover: (element) => {
    scroller.value = element;
  },
});

/** Sets the language of the content. */
export const setLanguage = (name: Language): void => {
  controls.language.value = name;
  language.value = name;
  editor.setLanguage(name);
};

/** A text whose line endings the editor changes, and what it becomes there. */
let exact = { text: '', shown: '', bytes: 0, revision: -1 };

/** Notes what the editor’s text is, exactly, until the user changes it. */
export const noteExactText = (text: string): void => {
  exact = {
    text,
    shown: editor.getText(),
    bytes: countBytes(text),
    revision: revision.value,
  };
};

/** Returns the text to share. */
export const getContent = (): string => {
  const shown = editor.getText();
  return shown === exact.shown ? exact.text : shown;
};

/** Returns the size of the text to share as UTF-8. */
export const countContentBytes = (): number =>
  revision.value === exact.revision ? exact.bytes : editor.countBytes();
