/** A file of a share. */
export interface ShareFile {
  /** Relative to the share’s root, such as `img/a.png`; see `checkPaths`. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** The SHA-256 of its bytes, in lower-case hexadecimal. */
  readonly sha256: string;
  /** The media type that it is served as, such as `text/css`, without parameters; see `getFileType`. */
  readonly type: string;
}
