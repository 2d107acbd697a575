import { signal } from '@preact/signals';
import type { Language } from '../../../../browser/editor/text-editor.ts';
import type { SealedFile } from '../../../../browser/sealed/content.ts';
import type { Sealer } from './sealing/sealer.ts';

/** The files of a sealed share: how its content names them, and what the API takes of them. */
export interface SealedFiles {
  readonly named: readonly SealedFile[];
  readonly body: object;
}

/** What the composer asks of the files of its share. */
export interface OpenFiles {
  /** Shows a page with its files. */
  show(language: Language, text: string): void;
  /** Takes over the files that their field names, whose value has changed. */
  restore(): void;
  /** Whether the files of the draft aren’t stored in the browser, or not yet. */
  isUnkept(): boolean;
  /** Whether the share needs no text: it is one file that is no page, or sealed with files. */
  canBeAlone(): boolean;
  /**
   * Uploads what wasn’t, or all again, and returns what the API takes beside the options.
   * @throws ApiError if something can’t be uploaded
   */
  toBody(isAgain: boolean): Promise<object>;
  /** As `toBody`, of a sealed share: seals what is uploaded. */
  seal(sealer: Sealer, isAgain: boolean): Promise<SealedFiles>;
  /** Counts the changes of the files. */
  getRevision(): number;
  /** Whether the files are those that the service has stored. */
  isUnchanged(): boolean;
  /** Forgets the files once they are shared. */
  end(): void;
}

/** The files of the share, once it had any. */
export const files: { opened?: OpenFiles } = {};

/** What the bar says of the files, instead of who can open the share. */
export const filesLine = signal<string | undefined>(undefined);
