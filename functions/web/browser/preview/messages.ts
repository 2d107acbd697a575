import type { Patch } from './patch.ts';

/** What the worker tells the page: how to change the blocks of its previous text, and their lines. */
export interface Rendered extends Patch {
  /** The line, from 0, at which each block begins; empty if that can't be told. */
  readonly lines: readonly number[];
  readonly lineCount: number;
  /** What the writer should know about it. */
  readonly remark: string | undefined;
}
