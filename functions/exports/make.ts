import type { Actor } from '../../shared/auth/actor.ts';
import { readRolesOf } from '../../shared/auth/custom-roles.ts';
import { userKeys } from '../../shared/auth/keys.ts';
import { isActive, parseUser } from '../../shared/auth/user.ts';
import { batchGet } from '../../shared/db/dynamodb.ts';
import { assertMayView } from '../../shared/exports/assert-may-view.ts';
import { contentTypeOf, getExportPermissions } from '../../shared/exports/export-kinds.ts';
import type { ExportNotes } from '../../shared/exports/export-maker.ts';
import type { StoredExport } from '../../shared/exports/export-record.ts';
import { toObjectKey } from '../../shared/exports/export-store.ts';
import { getEffectivePermissions } from '../../shared/permissions/roles.ts';
import { serializeError } from '../../shared/runtime/error-mapping.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { getLogger, getMetrics } from '../../shared/runtime/telemetry.ts';
import { getTimeLeft } from '../../shared/runtime/time-left.ts';
import { tryDelete } from '../../shared/storage/scheduled-deletions.ts';
import { ObjectChanged } from '../../shared/storage/stream-object.ts';
import { uploadStream } from '../../shared/storage/upload-stream.ts';
import { makers } from './makers.ts';
import { begin, fail, finish, maxTries, postpone } from './progress.ts';

/** The timeout of the function in ms: the longest that Lambda has. */
export const exportMs = 15 * 60_000;

/** Time in ms for the end of an export: its last part, or its failure. */
const endMs = 30_000;

/** The most of what is left out that is said: the response stays small. */
const maxLeftOut = 50;

/** There is no time left for the rest of an export. */
class ExportOutOfTime extends Error {
  override readonly name = 'ExportOutOfTime';
}

/** Creates the notes of an export. */
const createNotes = () => {
  const leftOut: string[] = [];
  let rows = 0;
  let more = 0;
  const notes: ExportNotes = {
    leftOut: (text) => {
      if (leftOut.length < maxLeftOut) leftOut.push(text);
      else more += 1;
    },
    count: (count) => {
      rows += count;
    },
  };
  const read = () => ({
    rows,
    leftOut: more > 0 ? [...leftOut, `${more} more, which the archive names.`] : leftOut,
  });
  return { notes, read };
};

/**
 * Reads the user as an actor without a session, with the permissions of now.
 * @throws AppError FORBIDDEN for one who is gone or suspended, or lacks a permission of the export
 */
const readOwner = async (due: StoredExport): Promise<Actor> => {
  const [item] = await batchGet([userKeys.record.at({ id: due.userId })]);
  const user = parseUser(item);
  if (!user || !isActive(user)) throw new AppError('FORBIDDEN', 'The account is not active.');
  const roles = await readRolesOf([user]);
  const permissions = getEffectivePermissions(user, roles);
  const actor: Actor = { user, roles, sessionId: undefined, isLimited: false, permissions };
  assertMayView(actor, ...getExportPermissions(due));
  return actor;
};

/** Passes pieces on while there is time. */
async function* whileInTime(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    if (getTimeLeft() < endMs) throw new ExportOutOfTime('The export takes too long');
    yield piece;
  }
}

const make = async (running: StoredExport) => {
  const actor = await readOwner(running);
  const maker = makers.find(({ kind }) => kind === running.kind);
  if (!maker) throw new Error(`Unknown kind of export: ${running.kind}`);
  const { notes, read } = createNotes();
  const pieces = whileInTime(maker.make(actor, running, notes));
  const bytes = await uploadStream(toObjectKey(running), pieces, contentTypeOf[running.format]);
  return { bytes, ...read() };
};

/** Returns what a failure means to people; `undefined` if another try may succeed. */
const toProblem = (error: unknown, { tries }: StoredExport): string | undefined => {
  if (error instanceof AppError && error.status < 500) return error.message;
  if (tries < maxTries) return undefined;
  return error instanceof ExportOutOfTime
    ? 'It is more than can be exported in 15 minutes.'
    : 'It failed three times. Ask for it again, or tell who runs this service.';
};

/**
 * Makes an export that is due: its file is in the bucket before it is ready. One that fails is tried again later, three times in
 * all; so is one whose function died.
 */
export const makeExport = async (due: StoredExport): Promise<void> => {
  if (due.tries >= maxTries) {
    // Its function died each time, of which the size is the likeliest cause.
    return fail(due, toProblem(undefined, due) ?? '', { isTooMuch: true });
  }
  const running = await begin(due, Date.now() + exportMs);
  // It was ended meanwhile.
  if (!running) return;
  try {
    const made = await make(running);
    if (await finish(running, made)) return;
    await tryDelete(toObjectKey(running));
  } catch (error) {
    const { id, kind, tries } = running;
    const problem = toProblem(error, running);
    const isRefused = error instanceof AppError && error.status < 500;
    // Owners may delete what is being read.
    if (!isRefused && !(error instanceof ObjectChanged)) {
      getLogger().error('Export failed', { id, kind, tries, error: serializeError(error) });
      getMetrics().addMetric('ExportsFailed', 'Count', 1);
    }
    if (problem === undefined) await postpone(running);
    else await fail(running, problem, { isTooMuch: error instanceof ExportOutOfTime });
  }
};
