import { userKeys } from '../../shared/auth/keys.ts';
import { parseUser } from '../../shared/auth/user.ts';
import { batchGet } from '../../shared/db/dynamodb.ts';
import { type Step, transact } from '../../shared/db/transaction.ts';
import type { StoredExport } from '../../shared/exports/export-record.ts';
import { askAgainStep, changeSteps, toObjectKey } from '../../shared/exports/export-store.ts';
import { describeExport } from '../../shared/exports/export-texts.ts';
import { enqueueWrite } from '../../shared/jobs/outbox.ts';
import { notificationKeys } from '../../shared/notifications/keys.ts';
import { createNotification } from '../../shared/notifications/notify.ts';
import { notificationTemplates } from '../../shared/notifications/templates.ts';
import { createRetry } from '../../shared/runtime/retry.ts';
import { isMailOn } from '../../shared/runtime/settings.ts';
import { scheduleDeletionWrite } from '../../shared/storage/scheduled-deletions.ts';
import { exportEmail } from '../api/users/exports/jobs.ts';

/** How often an export is begun. */
export const maxTries = 3;

/** How long an export is kept, and its file. */
const keptMs = 7 * 86_400_000;

/** The pause before another try, in ms; the second is twice as long. */
const pauseMs = 60_000;

const toSeconds = (ms: number): number => Math.ceil(ms / 1_000);

/**
 * Begins an export. Unless it ends before `until` (ms since 1970), its function has died, and it is due again. Returns it as
 * stored, or `undefined` if it has changed.
 */
export const begin = async (
  due: StoredExport,
  until: number,
): Promise<StoredExport | undefined> => {
  const running: StoredExport = {
    ...due,
    status: 'running',
    tries: due.tries + 1,
    dueAt: new Date(until).toISOString(),
  };
  const refused = await transact(changeSteps(due, running));
  return refused ? undefined : running;
};

/** Lets an export that failed be tried again. */
export const postpone = async (running: StoredExport): Promise<void> => {
  const dueAt = new Date(Date.now() + pauseMs * running.tries).toISOString();
  await transact(changeSteps(running, { ...running, status: 'waiting', dueAt }));
};

const retryOnConflict = createRetry('The user is told of too much at once: try again');

/** Settles an export, and tells its owner. Returns whether it was as read. */
const settle = (
  before: StoredExport,
  after: StoredExport,
  ...others: readonly Step<'changed'>[]
): Promise<boolean> =>
  retryOnConflict(async () => {
    const { id, userId } = before;
    const [found, box] = await batchGet([
      userKeys.record.at({ id: userId }),
      notificationKeys.counters.at({ userId }),
    ]);
    const user = parseUser(found);
    const email = isMailOn() ? enqueueWrite(exportEmail, { userId, id }) : 'none';
    const told: readonly Step<'newerNotification'>[] = user
      ? createNotification(
          user,
          box,
          notificationTemplates.exportEnded(describeExport(after)),
          email,
        )
      : [];
    const refused = await transact([...changeSteps(before, after), ...others, ...told]);
    if (!refused) return true;
    return refused.by === 'changed' ? false : undefined;
  });

/** Removes an attribute of a stored export that no longer holds. */
const withoutDue = ({ dueAt: _, ...rest }: StoredExport): StoredExport => rest;

/**
 * Gives an export up, for a reason that people read. One's own data can be asked for again at once, unless it was too much: that
 * would keep the exports of others waiting again and again.
 */
export const fail = async (
  open: StoredExport,
  problem: string,
  { isTooMuch }: { readonly isTooMuch: boolean },
): Promise<void> => {
  const ttl = toSeconds(Date.now() + keptMs);
  const mayAskAgain = open.kind === 'own-data' && !isTooMuch;
  await settle(
    open,
    { ...withoutDue(open), status: 'failed', problem, ttl },
    ...(mayAskAgain ? [askAgainStep(open.userId)] : []),
  );
};

/** Marks an export as ready for seven days. Returns `false` if it was ended or deleted meanwhile: then its file is nobody's. */
export const finish = (
  running: StoredExport,
  made: Pick<StoredExport, 'bytes' | 'rows' | 'leftOut'>,
): Promise<boolean> => {
  const readyAt = new Date().toISOString();
  const expiresAt = new Date(Date.now() + keptMs).toISOString();
  const ready: StoredExport = {
    ...withoutDue(running),
    ...made,
    status: 'ready',
    readyAt,
    expiresAt,
    ttl: toSeconds(Date.now() + keptMs),
  };
  return settle(running, ready, {
    write: scheduleDeletionWrite(toObjectKey(running), expiresAt),
  });
};
