/**
 * What a reference is for: `link` leads to a page or file, `base` is the address of `<base>`, `import` is one of a module,
 * `literal` is a text in a script that begins with `/` and may be the path of a file; all others are loaded with the page.
 */
export type ReferenceKind =
  | 'script'
  | 'style'
  | 'image'
  | 'media'
  | 'frame'
  | 'resource'
  | 'link'
  | 'base'
  | 'import'
  | 'literal';

/** An address in the text of a file. */
export interface Reference {
  /** As written, without escapes of the format. */
  readonly url: string;
  /** Where it is written in the text, with its escapes. UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly line: number;
  readonly kind: ReferenceKind;
}

/** A reference before its line is known. */
export type FoundReference = Omit<Reference, 'line'>;

/** The most references that are read of a text. */
export const maxReferences = 20_000;
