import * as z from 'zod';
import { itemParser } from '../db/item-parser.ts';
import { Success, success } from '../http/envelope.ts';
import {
  type ExportFormat,
  type ExportKind,
  type ExportStatus,
  exportFormats,
  exportKinds,
  exportStatuses,
} from './export-kinds.ts';

/** An export as stored, without keys. */
export interface StoredExport {
  readonly id: number;
  readonly userId: number;
  readonly kind: ExportKind;
  readonly format: ExportFormat;
  /** The query of the request, without `?`. */
  readonly query: string;
  /** Its filters, for people. Absent without any. */
  readonly filter?: string;
  readonly status: ExportStatus;
  /** ISO 8601. */
  readonly requestedAt: string;
  /** When the function is called for it (ISO 8601): the key of its entry in the list. Absent once it is ready or failed. */
  readonly dueAt?: string;
  /** How often it was begun. */
  readonly tries: number;
  /** Why it failed, for people. */
  readonly problem?: string;
  /** ISO 8601. */
  readonly readyAt?: string;
  /** When its file is deleted (ISO 8601). */
  readonly expiresAt?: string;
  readonly bytes?: number;
  readonly rows?: number;
  /** What could not be taken along, as sentences. */
  readonly leftOut?: readonly string[];
  /** Seconds since 1970, for the table's TTL. */
  readonly ttl: number;
}

export const parseExport = itemParser<StoredExport>('export', [
  'id',
  'userId',
  'kind',
  'format',
  'status',
  'requestedAt',
]);

export const exampleExport = {
  id: 244_212_480_000_000,
  kind: 'own-data' as const,
  format: 'zip' as const,
  filter: null,
  status: 'ready' as const,
  problem: null,
  requestedAt: '2026-11-22T12:00:00.000Z',
  readyAt: '2026-11-22T12:01:00.000Z',
  expiresAt: '2026-11-29T12:01:00.000Z',
  bytes: 1_048_576,
  rows: 120,
  leftOut: [],
};

/** An export in API responses. */
export const Export = z
  .object({
    id: z.int().positive(),
    kind: z.enum(exportKinds).meta({
      description: 'All of your own data, or the list that was asked for.',
    }),
    format: z.enum(exportFormats).meta({
      description: 'The type of the file: a ZIP archive of your own data, or a list.',
    }),
    filter: z.string().nullable().meta({
      description: 'The filters of a list, as its query has them. `null`: all of it.',
    }),
    status: z.enum(exportStatuses).meta({
      description:
        'It waits for at most a minute unless others are made, runs for up to 15 minutes, and is then `ready` or `failed`.',
    }),
    problem: z.string().nullable().meta({ description: 'Why it failed.' }),
    requestedAt: z.iso.datetime(),
    readyAt: z.iso.datetime().nullable().meta({ description: 'Since when it can be downloaded.' }),
    expiresAt: z.iso.datetime().nullable().meta({
      description: 'When the file is deleted: 7 days after it was ready.',
    }),
    bytes: z.int().nonnegative().nullable().meta({ description: 'The size of the file.' }),
    rows: z.int().nonnegative().nullable().meta({
      description: 'The rows of a list, or the files of an archive.',
    }),
    leftOut: z.array(z.string()).meta({
      description: 'What could not be taken along, as sentences. The archive says so, too.',
    }),
  })
  .meta({ id: 'Export', examples: [exampleExport] });
export type Export = z.output<typeof Export>;

/** The response about one export. */
export const ExportResponse = Success(Export).meta({
  id: 'ExportResponse',
  examples: [success(exampleExport)],
});

/** Returns whether an export is yet to be made. */
export const isOpen = ({ status }: Pick<StoredExport, 'status'>): boolean =>
  status === 'waiting' || status === 'running';

/** Converts an export for API responses. */
export const toExport = (stored: StoredExport): Export => ({
  id: stored.id,
  kind: stored.kind,
  format: stored.format,
  filter: stored.filter ?? null,
  status: stored.status,
  problem: stored.problem ?? null,
  requestedAt: stored.requestedAt,
  readyAt: stored.readyAt ?? null,
  expiresAt: stored.expiresAt ?? null,
  bytes: stored.bytes ?? null,
  rows: stored.rows ?? null,
  leftOut: [...(stored.leftOut ?? [])],
});
