import {
  history,
  historyKeymap,
  indentLess,
  indentMore,
  isolateHistory,
  moveLineDown,
  moveLineUp,
  standardKeymap,
} from '@codemirror/commands';
import {
  type Annotation,
  Compartment,
  EditorState,
  type Extension,
  Transaction,
} from '@codemirror/state';
import {
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  placeholder,
  type ViewUpdate,
} from '@codemirror/view';
import { countBytes } from '../../../../shared/text/count-bytes.ts';
import { findChange } from './changes.ts';
import { languages } from './languages.ts';
import type { CodeLanguage, Range, TextEditor } from './text-editor.ts';
import { theme } from './theme.ts';
import type { TextHistory } from './typed-changes.ts';

/** What a CodeMirror editor starts with. */
export interface CodeEditorStart {
  readonly history: TextHistory;
  readonly selection: Range;
  readonly language: CodeLanguage;
  readonly label: string;
  readonly placeholder: string;
  /** The element with the error about the text. */
  readonly describedBy: Element;
  readonly isInvalid: boolean;
  readonly noteChange: () => void;
}

/** Counts what an update adds to the size of the text, from its changes alone. */
const countAddedBytes = ({ changes, startState, state }: ViewUpdate): number => {
  let added = 0;
  // One unit more on each side, because a change can part or join the halves of a character.
  const count = ({ doc }: EditorState, from: number, to: number) =>
    countBytes(doc.sliceString(Math.max(0, from - 1), Math.min(doc.length, to + 1)));
  changes.iterChanges((fromA, toA, fromB, toB) => {
    added += count(state, fromB, toB) - count(startState, fromA, toA);
  });
  return added;
};

/** Repeats what was typed before, so that it can be undone. */
const replay = (start: EditorState, { changes }: TextHistory): EditorState =>
  changes.reduce(
    (state, { from, to, insert, time }) =>
      state.update({
        changes: { from, to, insert },
        userEvent: 'input.type',
        annotations: Transaction.time.of(time),
      }).state,
    start,
  );

const invalidity = (isInvalid: boolean): Extension =>
  isInvalid ? EditorView.contentAttributes.of({ 'aria-invalid': 'true' }) : [];

const keys = keymap.of([
  { key: 'Mod-[', run: indentLess },
  { key: 'Mod-]', run: indentMore },
  { key: 'Alt-ArrowUp', run: moveLineUp },
  { key: 'Alt-ArrowDown', run: moveLineDown },
  ...historyKeymap,
  ...standardKeymap,
]);

/** Creates a CodeMirror editor in a shadow root, where its styles are adopted sheets, which the policy allows. */
export const createCodeEditor = (host: HTMLElement, start: CodeEditorStart): TextEditor => {
  const root = host.attachShadow({ mode: 'open' });
  const language = new Compartment();
  const invalid = new Compartment();
  let bytes = 0;
  let languageName = start.language;
  let isInvalid = start.isInvalid;
  const createState = (doc: string): EditorState =>
    EditorState.create({ doc, extensions: extend() });
  const extend = (): Extension[] => [
    lineNumbers(),
    highlightActiveLine(),
    history(),
    keys,
    EditorView.lineWrapping,
    theme,
    placeholder(start.placeholder),
    EditorView.contentAttributes.of({
      'aria-label': start.label,
      tabindex: '0',
      spellcheck: 'true',
      autocapitalize: 'sentences',
    }),
    invalid.of(invalidity(isInvalid)),
    language.of(languages[languageName]),
    EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      bytes += countAddedBytes(update);
      start.noteChange();
    }),
  ];
  const state = replay(createState(start.history.text), start.history);
  const { from, to } = start.selection;
  const view = new EditorView({
    root,
    parent: root,
    state: state.update({ selection: { anchor: from, head: to } }).state,
  });
  bytes = countBytes(view.state.doc.toString());
  // The error is outside the shadow root, where no id reaches it.
  view.contentDOM.ariaDescribedByElements = [start.describedBy];
  const getPadding = () => view.documentPadding.top;
  const replace = (text: string, annotations: Annotation<unknown>[] = []) => {
    const change = findChange(view.state.doc.toString(), text.replace(/\r\n?/g, '\n'));
    if (change) view.dispatch({ changes: change, userEvent: 'input', annotations });
  };
  return {
    getText: () => view.state.doc.toString(),
    countBytes: () => bytes,
    setText: (text) => replace(text, [isolateHistory.of('full')]),
    load: (text) => {
      view.setState(createState(text));
      view.scrollDOM.scrollTop = 0;
      bytes = countBytes(view.state.doc.toString());
      start.noteChange();
    },
    getSelection: () => view.state.selection.main,
    edit: ({ change, selection }) => {
      view.dispatch({
        changes: change,
        selection: { anchor: selection.from, head: selection.to },
        userEvent: 'input',
        scrollIntoView: true,
      });
      view.focus();
    },
    setLanguage: (name) => {
      languageName = name;
      view.dispatch({ effects: language.reconfigure(languages[name]) });
    },
    setInvalid: (is) => {
      isInvalid = is;
      view.dispatch({ effects: invalid.reconfigure(invalidity(is)) });
    },
    focus: () => view.focus(),
    getTopLine: () => {
      const top = view.scrollDOM.scrollTop - getPadding();
      if (top <= 0) return 0;
      const block = view.lineBlockAtHeight(top);
      return view.state.doc.lineAt(block.from).number - 1 + (top - block.top) / block.height;
    },
    scrollToLine: (line) => {
      const { doc } = view.state;
      const block = view.lineBlockAt(doc.line(Math.min(Math.floor(line) + 1, doc.lines)).from);
      view.scrollDOM.scrollTop =
        line <= 0 ? 0 : getPadding() + block.top + (line % 1) * block.height;
    },
    goToLine: (line) => {
      const { from } = view.state.doc.line(Math.min(line, view.state.doc.lines));
      view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
      view.focus();
    },
    scroller: view.scrollDOM,
  };
};
