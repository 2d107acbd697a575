/** A file on this machine, or in an archive. */
export interface LocalFile {
  /** Its path in the share. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly read: () => Promise<Uint8Array>;
}
