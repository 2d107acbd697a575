import { signal } from '@preact/signals';
import type { Language } from '../../../../browser/editor/text-editor.ts';

/** What the composer asks of the files of its share. */
export interface OpenFiles {
  /** Shows a page with its files. */
  show(language: Language, text: string): void;
  /** Takes over the files that their field names, whose value has changed. */
  restore(): void;
  /** Whether the files of the draft aren’t stored in the browser, or not yet. */
  isUnkept(): boolean;
  /** Whether the share is one file that is no page. */
  isSingle(): boolean;
  /**
   * Uploads what wasn’t, or all again, and returns what the API takes beside the options.
   * @throws ApiError if something can’t be uploaded
   */
  toBody(isAgain: boolean): Promise<object>;
  /** Forgets the files once they are shared. */
  end(): void;
}

/** The files of the share, once it had any. */
export const files: { opened?: OpenFiles } = {};

/** What the bar says of the files, instead of who can open the share. */
export const filesLine = signal<string | undefined>(undefined);
