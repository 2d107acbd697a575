import { countBytes } from '../../../../shared/text/count-bytes.ts';
import { applyChange } from './changes.ts';
import type { TextEditor } from './text-editor.ts';

const countLines = (text: string): number => text.split('\n').length;

/** Creates the editor of a textarea. */
export const createPlainEditor = (
  area: HTMLTextAreaElement,
  noteChange: () => void,
): TextEditor => {
  const getLineHeight = (): number => area.scrollHeight / countLines(area.value);
  const setText = (text: string): void => {
    area.value = text;
    noteChange();
  };
  area.addEventListener('input', noteChange);
  return {
    getText: () => area.value,
    countBytes: () => countBytes(area.value),
    setText,
    load: (text) => {
      area.value = text;
    },
    getSelection: () => ({ from: area.selectionStart, to: area.selectionEnd }),
    edit: ({ change, selection }) => {
      area.focus();
      area.setSelectionRange(change.from, change.to);
      // The only way that keeps the textarea's own undo.
      if (!document.execCommand('insertText', false, change.insert)) {
        setText(applyChange(area.value, change));
      }
      area.setSelectionRange(selection.from, selection.to);
    },
    setLanguage: () => {},
    setInvalid: (isInvalid) => {
      area.ariaInvalid = isInvalid ? 'true' : null;
    },
    focus: () => area.focus(),
    getTopLine: () => area.scrollTop / getLineHeight(),
    scrollToLine: (line) => {
      area.scrollTop = line * getLineHeight();
    },
    goToLine: (line) => {
      const before = area.value.split('\n').slice(0, line - 1);
      const at = before.join('\n').length + Math.sign(before.length);
      area.focus();
      area.setSelectionRange(at, at);
      area.scrollTop = (line - 1) * getLineHeight();
    },
    scroller: area,
  };
};
