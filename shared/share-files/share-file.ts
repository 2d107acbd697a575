/** A file of a share. */
export interface ShareFile {
  /** From the top of the share, such as `img/mill.jpg`. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** In hex. */
  readonly sha256: string;
  /** The media type that it is served with. */
  readonly type: string;
}
