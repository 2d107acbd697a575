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
  // A page may add some.
  const getButtons = () => [...bar.querySelectorAll('button')];
  const makeOnlyStop = (stop: Element | undefined): void => {
    for (const button of getButtons()) button.tabIndex = button === stop ? 0 : -1;
  };
  for (const button of getButtons()) {
    const { format: name } = button.dataset;
    if (!name) continue;
    button.addEventListener('click', () =>
      editor.edit(format(name as Format, getLanguage(), editor.getText(), editor.getSelection())),
    );
  }
  bar.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined || !(event.target instanceof HTMLButtonElement)) return;
    const buttons = getButtons().filter((button) => button.checkVisibility());
    const at = buttons.indexOf(event.target);
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
    event.preventDefault();
  });
  bar.addEventListener(
    'focusin',
    ({ target }) => target instanceof HTMLButtonElement && makeOnlyStop(target),
  );
  makeOnlyStop(getButtons()[0]);
};
