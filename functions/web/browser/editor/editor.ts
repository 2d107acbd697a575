import { createPlainEditor } from './plain-editor.ts';
import type { CodeLanguage, TextEditor } from './text-editor.ts';
import { createRecorder } from './typed-changes.ts';

/** What an editor needs of its page. */
export interface EditorOptions {
  readonly language: CodeLanguage;
  readonly label: string;
  /** The element with the error about the text. */
  readonly describedBy: Element;
  readonly noteChange: () => void;
  /** Called once CodeMirror is there, with the element that scrolls from now on. */
  readonly noteTakeover: (scroller: HTMLElement) => void;
}

/** Returns whether the textarea stays: on touch screens it works better, and it is all there is when saving data. */
const isTextareaBetter = (): boolean =>
  matchMedia('(pointer: coarse)').matches ||
  ('connection' in navigator &&
    (navigator.connection as { readonly saveData?: boolean }).saveData === true);

const whenIdle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve());
    // Safari has no requestIdleCallback.
    else setTimeout(resolve, 200);
  });

/** Watches whether a textarea is in use: something was done in it since it has the focus. */
const watchUse = (area: HTMLTextAreaElement): (() => boolean) => {
  let isInUse = false;
  for (const type of ['keydown', 'beforeinput', 'pointerdown']) {
    area.addEventListener(type, () => {
      isInUse = true;
    });
  }
  area.addEventListener('blur', () => {
    isInUse = false;
  });
  return () => isInUse;
};

/** Resolves once the browser is idle while the textarea isn’t in use. */
const whenUnused = async (area: HTMLTextAreaElement, isInUse: () => boolean): Promise<void> => {
  await whenIdle();
  while (isInUse()) {
    await new Promise((resolve) => area.addEventListener('blur', resolve, { once: true }));
    await whenIdle();
  }
};

/** Lets the user type at once, unless the focus is somewhere already. */
export const startTyping = (editor: Pick<TextEditor, 'focus'>): void => {
  if (document.activeElement === document.body) editor.focus();
};

/** Returns an editor that passes everything on to the current one. */
const delegate = (current: () => TextEditor): TextEditor =>
  new Proxy({} as TextEditor, { get: (_, name: keyof TextEditor) => current()[name] });

/**
 * Makes a textarea an editor. CodeMirror takes its place once the browser is idle and the textarea isn’t in use; it
 * keeps text, selection, scroll position, focus and what can be undone. The textarea stays on touch screens, when saving data
 * and if CodeMirror can't be loaded.
 */
export const createEditor = (area: HTMLTextAreaElement, options: EditorOptions): TextEditor => {
  const recorder = createRecorder(area.value);
  let { language } = options;
  const plain: TextEditor = {
    ...createPlainEditor(area, () => {
      recorder.note(area.value, Date.now());
      options.noteChange();
    }),
    load: (text) => {
      area.value = text;
      recorder.restart(area.value);
    },
    setLanguage: (name) => {
      language = name;
    },
  };
  let current = plain;
  const isInUse = watchUse(area);
  const takeOver = async (): Promise<void> => {
    await whenIdle();
    const { createCodeEditor } = await import('./code-editor.ts');
    await whenUnused(area, isInUse);
    const [selection, top] = [plain.getSelection(), area.scrollTop];
    const hadFocus = document.activeElement === area;
    const host = document.createElement('div');
    host.id = area.id;
    host.className = 'editor';
    for (const label of area.labels) label.remove();
    area.replaceWith(host);
    current = createCodeEditor(host, {
      history: recorder.getHistory(),
      selection,
      language,
      isInvalid: area.ariaInvalid === 'true',
      label: options.label,
      placeholder: area.placeholder,
      describedBy: options.describedBy,
      noteChange: options.noteChange,
    });
    if (hadFocus) current.focus();
    current.scroller.scrollTop = top;
    options.noteTakeover(current.scroller);
  };
  if (!isTextareaBetter()) takeOver().catch(() => {});
  return delegate(() => current);
};
