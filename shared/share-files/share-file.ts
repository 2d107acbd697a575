/** A file of a share. */
export interface ShareFile {
  /** From the top of the share, such as `img/mill.jpg`; see `checkPaths`. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** The SHA-256 of its bytes, in lower-case hexadecimal. */
  readonly sha256: string;
  /** The media type that it is served as, such as `text/css`, without parameters; see `getFileType`. */
  readonly type: string;
}
