/** A file of the share that is written. */
export interface DraftFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** The media type that it is served as. */
  readonly type: string;
  /** Its bytes; none of a stored file that wasn’t read yet. */
  readonly bytes?: Blob;
  /** The SHA-256 of a stored file, in hexadecimal. */
  readonly sha256?: string;
  /** Of a stored file of a sealed share: its path there, and the id of its envelope. `sha256` is that of the envelope. */
  readonly sealed?: { readonly path: string; readonly id: string };
  /** Its text, if it can be edited and was read. */
  readonly text?: string;
}

/** The files of a share. The text of its main page is that of the composer, so that page is not among the others. */
export interface FileSet {
  /** The path of the file that readers see first. */
  readonly main: string;
  /** All others; of a share that is one file without a page, that file. */
  readonly others: readonly DraftFile[];
}

/** The largest text that is edited. Bytes. */
export const maxTextBytes = 512 * 1024;

const textType = /^text\/|^application\/(json|manifest\+json)$|^image\/svg\+xml$/;

/** Returns whether a file is edited as a text; all others are shown. */
export const isEditable = ({ type, size }: Pick<DraftFile, 'type' | 'size'>): boolean =>
  size <= maxTextBytes && textType.test(type);

/** Returns the name of a file within its folder. */
export const getName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Returns the folder of a file with its slash; empty at the root. */
export const getFolder = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
