/** A language that the editor colors. */
export type Language = 'markdown' | 'html';

/** A language of files, which the editor colors, too. */
export type CodeLanguage = Language | 'css' | 'script' | 'json' | 'text';

/** A range of a text, in UTF-16 units. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Replaces a range of a text. */
export interface Change extends Range {
  readonly insert: string;
}

/** A change and what is selected after it. */
export interface Edit {
  readonly change: Change;
  readonly selection: Range;
}

/** An editor of plain text: a textarea or CodeMirror. */
export interface TextEditor {
  getText(): string;
  /** Returns the size of the text as UTF-8. */
  countBytes(): number;
  /** Replaces the text. The user can undo it. */
  setText(text: string): void;
  /** Sets the text to begin with: nothing before it can be undone. */
  load(text: string): void;
  getSelection(): Range;
  /** Changes the text, as one step to undo. */
  edit(edit: Edit): void;
  setLanguage(language: Language): void;
  setInvalid(isInvalid: boolean): void;
  focus(): void;
  /** Returns the number of lines above the upper edge, from 0; fractions are parts of a line. */
  getTopLine(): number;
  scrollToLine(line: number): void;
  /** Moves to the start of a line, from 1. */
  goToLine(line: number): void;
  /** The element that scrolls. */
  readonly scroller: HTMLElement;
}
