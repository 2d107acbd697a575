/** A file as more than its lines. */
export interface FileView {
  readonly name: 'table' | 'tree';
  /** What there is of it, in words. */
  readonly about: string;
  readonly html: string;
}

/** Why a file is shown as lines only. `line` is where it can’t be read, from 1. */
export interface ViewProblem {
  readonly line?: number;
  readonly reason: string;
}

/** Escapes text for the content of an element. Parsers of HTML drop NUL. */
export const escapeText = (text: string): string =>
  text.replace(/[&<>\0]/g, (character) => characters[character] ?? character);

const characters: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\0': '\uFFFD',
};
