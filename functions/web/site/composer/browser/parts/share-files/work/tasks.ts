import type { MissingReference } from '../../../../../../../../shared/share-files/missing.ts';
import type { Refused } from '../model/incoming.ts';
import type { PreviewPage } from '../model/preview-parts.ts';

/** A file as the worker gets it. */
export interface WorkFile {
  readonly path: string;
  readonly type: string;
  /** Tells bytes apart, so that a text is read and parsed once. */
  readonly id: number;
  /** Of a text whose references count. */
  readonly text?: Blob | string;
  /** Whether its bytes aren’t here yet. */
  readonly isAbsent?: boolean;
}

/** What the worker does. */
export type Task =
  | { readonly task: 'unzip'; readonly archive: Blob }
  | { readonly task: 'check'; readonly files: readonly WorkFile[] }
  | {
      readonly task: 'follow';
      readonly files: readonly WorkFile[];
      readonly moves: ReadonlyMap<string, string>;
    }
  | {
      readonly task: 'preview';
      readonly files: readonly WorkFile[];
      readonly page: string;
      readonly labels: { readonly missing: string; readonly loading: string };
    }
  | {
      readonly task: 'mark';
      readonly files: readonly WorkFile[];
      readonly page: string;
    };

/** An unpacked file. */
export interface UnpackedFile {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What each task results in. */
export interface Results {
  readonly unzip: { readonly files: readonly UnpackedFile[]; readonly refused: readonly Refused[] };
  readonly check: readonly MissingReference[];
  readonly follow: readonly {
    readonly path: string;
    readonly text: string;
    readonly references: number;
  }[];
  readonly preview: PreviewPage;
  /** Markdown in which references are addresses of `toPlace`, so that they are converted like those of other hosts. */
  readonly mark: string;
}

export type TaskName = keyof Results;

/** What the worker says of a task: how far it is, what it resulted in, or why it failed. */
export interface Answer {
  readonly number: number;
  readonly part?: number;
  readonly result?: Results[TaskName];
  readonly error?: string;
}
