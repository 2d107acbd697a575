import type { Actor } from '../auth/actor.ts';
import type { ArchiveNotes } from './archive-entry.ts';
import type { ExportFormat, ExportKind } from './export-kinds.ts';

/** What was asked for. */
export interface ExportOrder {
  readonly id: number;
  readonly kind: ExportKind;
  readonly format: ExportFormat;
  /** The query of the request, which its route has accepted, without `?`. Empty for one's own data. */
  readonly query: string;
  /** ISO 8601. */
  readonly requestedAt: string;
}

/** Takes note of what an export contains. */
export interface ExportNotes extends ArchiveNotes {
  /** Adds to the rows that the response counts; for one's own data, to the files of the archive. */
  count(rows: number): void;
}

/** How a kind of export is made. The function `exports` collects those of all kinds (`functions/exports/makers.ts`). */
export interface ExportMaker {
  readonly kind: ExportKind;
  /**
   * Makes the bytes of the file, piece by piece, in the name of a user as stored now, who has been found to have the
   * permissions of its kind (`getExportPermissions`). Is stopped between two pieces when time is up.
   * @throws AppError below 500, whose message the export then shows as its `problem`; anything else is tried again
   */
  make(actor: Actor, order: ExportOrder, notes: ExportNotes): AsyncIterable<Uint8Array>;
}
