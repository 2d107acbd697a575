import type { Patch } from './patch.ts';

/** What the writer of a text is told about it. */
export interface Remarks {
  readonly remark: string | undefined;
  /** The title of a share of it that is given none. */
  readonly title: string | undefined;
}

/** What the worker tells the page: how to change the blocks of its previous text, and their lines. */
export interface Rendered extends Patch, Remarks {
  /** The line, from 0, at which each block begins; empty if that can't be told. */
  readonly lines: readonly number[];
  readonly lineCount: number;
}

/** What a page asks the worker for that shows a text as the page of a share does. */
export interface PageRequest {
  /** The Markdown. */
  readonly page: string;
}

/** The fragment of a page, as the service stores that of a share. */
export interface RenderedPage {
  readonly html: string;
}
