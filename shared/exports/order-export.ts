import type { ChangeRecorder } from '../audit/audit-log.ts';
import type { Actor } from '../auth/actor.ts';
import { createId } from '../db/ids.ts';
import { transact } from '../db/transaction.ts';
import { AppError } from '../runtime/errors.ts';
import { createRetry } from '../runtime/retry.ts';
import { describeFilters } from './describe-filters.ts';
import type { ExportFormat, ExportKind } from './export-kinds.ts';
import { isOpen, type StoredExport } from './export-record.ts';
import {
  changesStep,
  createWrites,
  maxKept,
  readExports,
  removeSteps,
  type UserExports,
} from './export-store.ts';

/** The most exports of a user that wait or run. */
const maxOpen = 5;

/** How often the own data is made. */
const ownDataMs = 60 * 60_000;

const dayMs = 86_400_000;

/** How long an export is kept that is never made. */
const keptMs = 8 * dayMs;

const retryOnConflict = createRetry('Your exports changed concurrently. Try again.');

/** An export that is asked for. */
interface Wanted {
  readonly kind: ExportKind;
  readonly format: ExportFormat;
  /** The query of the request as its route has accepted it, without `?`. Absent for one's own data. */
  readonly query?: string;
}

/** Says when the own data can be asked for again. */
const tooSoon = (atMs: number): AppError => {
  const seconds = Math.max(1, Math.ceil((atMs - Date.now()) / 1_000));
  const minutes = Math.ceil(seconds / 60);
  return new AppError(
    'RATE_LIMITED',
    `Your data can be exported once an hour. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    { headers: { 'retry-after': String(seconds) } },
  );
};

const assertAllowed = ({ exports, changes }: UserExports, kind: ExportKind): void => {
  const nextMs = Date.parse(changes.ownDataAt ?? '') + ownDataMs;
  if (kind === 'own-data' && nextMs > Date.now()) throw tooSoon(nextMs);
  if (exports.filter(isOpen).length < maxOpen) return;
  throw new AppError(
    'CONFLICT',
    `${maxOpen} of your exports are waiting or being made. Try again when one is ready.`,
  );
};

/** Returns the exports that are not kept beside a new one. Those that are yet to be made stay. */
const findExcess = ({ exports }: UserExports): readonly StoredExport[] => {
  const excess = exports.length + 1 - maxKept;
  return excess > 0 ? exports.filter((one) => !isOpen(one)).slice(-excess) : [];
};

/**
 * Asks for an export, which the service makes in the minutes that follow, or returns the one that is asked for already and yet
 * to be made. The caller has checked the query and that the actor has the permissions (`getExportPermissions`).
 * @throws AppError RATE_LIMITED for one's own data twice in an hour; CONFLICT while many wait
 */
export const orderExport = (
  { user: { id: userId } }: Pick<Actor, 'user'>,
  { kind, format, query = '' }: Wanted,
  recorder: ChangeRecorder,
): Promise<StoredExport> =>
  retryOnConflict(async () => {
    const found = await readExports(userId);
    const open = found.exports.find(
      (one) => isOpen(one) && one.kind === kind && one.format === format && one.query === query,
    );
    if (open) return open;
    assertAllowed(found, kind);
    const filter = describeFilters(query);
    const requestedAt = new Date().toISOString();
    const created: StoredExport = {
      id: createId(),
      userId,
      kind,
      format,
      query,
      ...(filter !== null && { filter }),
      status: 'waiting',
      requestedAt,
      dueAt: requestedAt,
      tries: 0,
      ttl: Math.ceil((Date.now() + keptMs) / 1_000),
    };
    const { ownDataAt } = found.changes;
    const refused = await transact([
      changesStep(userId, found.changes, kind === 'own-data' ? requestedAt : ownDataAt),
      ...createWrites(created),
      ...findExcess(found).flatMap(removeSteps),
      ...recorder.steps({
        subject: kind === 'own-data' ? `export:${created.id}` : `list:${kind}`,
        created: `export:${created.id}`,
        after: { kind, format, filter },
      }),
    ]);
    return refused ? undefined : created;
  });
