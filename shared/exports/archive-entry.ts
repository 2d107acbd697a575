import type { Actor } from '../auth/actor.ts';

/** A file of an archive. */
export interface ArchiveEntry {
  /** The path within the archive, with `/`. It is unique, and each of its names is a valid file name (`archive-path.ts`). */
  readonly path: string;
  /** ISO 8601. */
  readonly modifiedAt?: string;
  /** Whether the content is compressed already, such as that of an image: it is stored as it is. */
  readonly isCompressed?: boolean;
  /** The size of content that comes in pieces, where it is known: without it, programs that don't know ZIP64 can't read it. */
  readonly bytes?: number;
  /** What is large comes in pieces, so that no file is in memory as a whole. */
  readonly content: string | Uint8Array | AsyncIterable<Uint8Array>;
}

/** Takes note of what an archive contains. */
export interface ArchiveNotes {
  /** What could not be taken along, as a sentence for people: it is in the archive and in the response (`leftOut`). */
  leftOut(text: string): void;
}

/** What a group gives to the archive of a user's own data. A group declares it in `archive.ts`. */
export interface ArchiveSection {
  /** What the archive counts its entries as, such as `shares`. */
  readonly name: string;
  /**
   * Lists what is the owner's, whatever the owner may see or do by now. Reads as it goes: the next page once the entries of
   * this one are written. Content is read when its entry is written, and may be read no further.
   */
  entries(owner: Actor, notes: ArchiveNotes): AsyncIterable<ArchiveEntry>;
}
