import { createId } from '../../../shared/db/ids.ts';
import { transact } from '../../../shared/db/transaction.ts';
import type { StoredExport } from '../../../shared/exports/export-record.ts';
import { createWrites, toObjectKey } from '../../../shared/exports/export-store.ts';
import { putObject } from '../../../shared/storage/bucket.ts';

const dayMs = 24 * 60 * 60_000;

/** Stores an export as the service leaves it: its record, and a file if `content` is given. */
export const storeExport = async (
  userId: number,
  fields: Partial<StoredExport> = {},
  content?: Uint8Array,
): Promise<StoredExport> => {
  const now = Date.now();
  const at = new Date(now).toISOString();
  const stored: StoredExport = {
    id: createId(),
    userId,
    kind: 'own-data',
    format: 'zip',
    query: '',
    status: 'ready',
    requestedAt: at,
    readyAt: at,
    expiresAt: new Date(now + 7 * dayMs).toISOString(),
    tries: 1,
    bytes: content?.length ?? 1_000,
    rows: 3,
    leftOut: [],
    ttl: Math.ceil((now + 7 * dayMs) / 1_000),
    ...fields,
  };
  await transact(createWrites(stored));
  if (content) await putObject(toObjectKey(stored), content);
  return stored;
};
