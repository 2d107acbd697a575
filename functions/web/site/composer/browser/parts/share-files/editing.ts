import { effect } from '@preact/signals';
import { createEditor } from '../../../../../browser/editor/editor.ts';
import type { CodeLanguage, TextEditor } from '../../../../../browser/editor/text-editor.ts';
import { shareFilesTexts as texts } from '../../../share-files-texts.ts';
import { editor } from '../content.ts';
import { contentError, form } from '../elements.ts';
import { type DraftFile, isEditable } from './model/draft-file.ts';
import { isSingle, main, opened, others, setText } from './set.ts';
import { showFile } from './view/file-view.tsx';

/** The pause in typing after which a text is taken. ms. */
const pauseMs = 250;

interface Opened {
  readonly element: HTMLElement;
  readonly editor: TextEditor;
  /** Whether something was typed that wasn’t taken. */
  readonly isTyped: () => boolean;
  /** Takes what was typed now. */
  readonly take: () => void;
}

/** The editors of texts, by their paths. They keep what can be undone. */
const editors = new Map<string, Opened>();

/** The element that holds the composer’s own text. */
const mainPane = form.querySelector<HTMLElement>('.src') ?? form;
const filePane = document.createElement('section');
filePane.className = 'src file-pane';
filePane.hidden = true;
mainPane.after(filePane);

const toLanguage = (path: string, type: string): CodeLanguage => {
  if (/\.(md|markdown)$/i.test(path)) return 'markdown';
  const byType: Readonly<Record<string, CodeLanguage>> = {
    'text/html': 'html',
    'image/svg+xml': 'html',
    'text/css': 'css',
    'text/javascript': 'script',
    'application/json': 'json',
    'application/manifest+json': 'json',
  };
  return byType[type] ?? 'text';
};

const openText = (file: DraftFile, text: string): Opened => {
  const known = editors.get(file.path);
  if (known) {
    const isSame = known.editor.getText() === text.replace(/\r\n?/g, '\n');
    if (!isSame && !known.isTyped()) known.editor.setText(text);
    return known;
  }
  const element = document.createElement('div');
  element.className = 'file-text';
  const field = document.createElement('textarea');
  field.ariaLabel = texts.source(file.path);
  field.value = text;
  element.append(field);
  filePane.append(element);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const { path } = file;
  let isTyped = false;
  const take = () => {
    clearTimeout(timer);
    if (isTyped) setText(path, editorOfFile.getText());
    isTyped = false;
  };
  const editorOfFile = createEditor(field, {
    language: toLanguage(path, file.type),
    label: texts.source(path),
    describedBy: contentError,
    noteChange: () => {
      isTyped = true;
      clearTimeout(timer);
      timer = setTimeout(take, pauseMs);
    },
    noteTakeover: () => {},
  });
  const one = { element, editor: editorOfFile, isTyped: () => isTyped, take };
  editors.set(path, one);
  return one;
};

const findOpened = (): DraftFile | undefined =>
  others.value.find(({ path }) => path === opened.value);

/** Takes what was typed into open texts. */
export const takeTexts = (): void => {
  for (const { take } of editors.values()) take();
};

const closeGone = (): void => {
  for (const [path, { element }] of editors) {
    if (others.value.some((file) => file.path === path)) continue;
    element.remove();
    editors.delete(path);
  }
};

/** Whether the composer’s own text is open. */
export const isMainOpen = (): boolean => !isSingle.value && opened.value === main.value;

/** Shows the opened file: in an editor, or what it looks like. */
const showOpened = (): void => {
  closeGone();
  const file = findOpened();
  const isOther = main.value !== '' && file !== undefined;
  mainPane.hidden = isOther;
  filePane.hidden = !isOther;
  if (!file) return;
  const { text } = file;
  const one = text !== undefined && isEditable(file) ? openText(file, text) : undefined;
  for (const { element } of editors.values()) element.hidden = element !== one?.element;
  showFile(filePane, one ? undefined : file);
};

/** Returns the editor of the opened file; `undefined` for one that is only shown. */
export const getOpenedEditor = (): TextEditor | undefined =>
  isMainOpen() ? editor : editors.get(opened.value)?.editor;

/** Starts to show the opened file. */
export const startEditing = (): void => {
  effect(showOpened);
};
