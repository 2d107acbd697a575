import { type Format, format } from './formatting.ts';
import type { Language, TextEditor } from './text-editor.ts';

interface FormatBarOptions {
  readonly editor: TextEditor;
  readonly getLanguage: () => Language;
}

/** Starts a toolbar of an editor: its buttons with `data-format` format the selected text, and it is one stop of Tab. */
export const startFormatBar = (
  bar: HTMLElement,
  { editor, getLanguage }: FormatBarOptions,
): void => {
  const buttons = [...bar.querySelectorAll('button')];
  const makeOnlyStop = (stop: Element | undefined): void => {
    for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
  };
  for (const button of buttons) {
    const { format: name } = button.dataset;
    if (!name) continue;
    button.addEventListener('click', () =>
      editor.edit(format(name as Format, getLanguage(), editor.getText(), editor.getSelection())),
    );
  }
  bar.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined || !(event.target instanceof HTMLButtonElement)) return;
    const visible = buttons.filter((button) => button.checkVisibility());
    const at = visible.indexOf(event.target);
    visible[(at + step + visible.length) % visible.length]?.focus();
    event.preventDefault();
  });
  bar.addEventListener(
    'focusin',
    ({ target }) => target instanceof Element && makeOnlyStop(target),
  );
  makeOnlyStop(buttons[0]);
};
