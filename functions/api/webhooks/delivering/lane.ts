import { createRandomId } from '../../../../shared/db/ids.ts';
import { queryItems } from '../../../../shared/db/query.ts';
import { withLease } from '../../../../shared/jobs/lease.ts';
import { forEachAtOnce } from '../../../../shared/runtime/at-once.ts';
import { DeferredError } from '../../../../shared/runtime/deferred.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { getTimeLeft } from '../../../../shared/runtime/time-left.ts';
import { webhookKeys } from '../../../../shared/webhooks/keys.ts';
import { type Due, parseDue, toDueTime } from '../record/delivery.ts';
import { mayDeliver, mayHearAudit, readOne } from '../record/owner.ts';
import { pause } from '../record/pause.ts';
import { isActive, isAuditName, type StoredWebhook } from '../record/webhook.ts';
import { attempt, giveUp } from './attempt.ts';
import { type Outcome, sendMs } from './send.ts';
import { inSlowTurn } from './slow-turn.ts';
import { findPauseReason, isFailing, nextState, saveState } from './state.ts';
import { forgetJob, type JobWebhook, markJob, wake } from './wake.ts';

/** How many tries of a webhook run at once. One whose host was slow, or has yet to answer, has one. */
export const maxAtOnce = 3;

/** How long a job begins tries for (ms), so that the others of its batch soon end with it. */
const beginMs = 5_000;

/** What the writes of a try take at most (ms). */
const writesMs = 5_000;

/** How many deliveries a job tries. */
const maxPerJob = 100;

/** Reads what is due of a webhook, the oldest first. */
const readDue = async (hookId: number, count: number): Promise<Due[]> => {
  const { pk, sk } = webhookKeys.due.prefix({ hookId });
  const items = await queryItems(
    {
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': pk,
        ':from': sk,
        ':to': `${sk}${toDueTime(Date.now() + 1)}`,
      },
    },
    count,
    undefined,
  );
  return items.map(parseDue);
};

/** Returns whether the host of a webhook may be slow: others must not wait for it. */
const isSuspect = ({ succeededAt, slow = 0 }: StoredWebhook): boolean =>
  succeededAt === undefined || slow > 0;

const hasTime = (until: number): boolean => Date.now() < until && getTimeLeft() > sendMs + writesMs;

/** When what is left of a webhook follows: nothing is left to this job of one that rests or is gone. */
type Rest = 'now' | 'later' | 'never';

/** How long what is left waits whose last try may still run (seconds). */
const laterSeconds = 30;

const giveUpAll = async (hookId: number, all: readonly Due[], reason: string): Promise<Rest> => {
  let rest: Rest = 'now';
  await forEachAtOnce(all, maxAtOnce, async (due) => {
    if (!(await giveUp(hookId, due, reason))) rest = 'later';
  });
  return rest;
};

/** Tries what is due. Returns what came of it. */
const tryAll = async (
  webhook: StoredWebhook,
  all: readonly Due[],
  atOnce: number,
): Promise<readonly Outcome[]> => {
  const until = Date.now() + beginMs;
  const outcomes: Outcome[] = [];
  // After a slow or a final answer, or many failures in a row, the rest would learn the same.
  const isOver = () =>
    outcomes.some(({ isSlow, isGone }) => isSlow || isGone) ||
    (outcomes.length > 0 && isFailing(nextState(webhook, outcomes)));
  await forEachAtOnce(all, atOnce, async (due) => {
    if (isOver() || !hasTime(until)) return;
    const outcome = await attempt(webhook, due);
    if (outcome) outcomes.push(outcome);
  });
  return outcomes;
};

/** Delivers, and stores what that says of the webhook. */
const deliver = async (webhook: StoredWebhook, all: readonly Due[]): Promise<Rest> => {
  const outcomes = isSuspect(webhook)
    ? await inSlowTurn(() => tryAll(webhook, all, 1))
    : await tryAll(webhook, all, isFailing(webhook) ? 1 : maxAtOnce);
  if (outcomes.length === 0) return all.length === 0 ? 'now' : 'later';
  const state = nextState(webhook, outcomes);
  if (!(await saveState(webhook, state))) return 'now';
  const reason = findPauseReason(state, outcomes);
  if (reason) await pause(webhook.userId, webhook.id, reason);
  return state.restsUntil === undefined ? 'now' : 'never';
};

/** Why what is due is given up without a try. */
const reasons = {
  off: 'Not sent: the webhook was off',
  allOff: 'Not sent: webhooks were switched off here',
  stale: 'Not sent: it waited for six hours',
} as const;

/** How long what is due may wait for its try (ms): as long as all tries take. */
const staleMs = 6 * 3_600_000;

const isStale = ({ at }: Due): boolean => Number(at) + staleMs < Date.now();

/** Does what is due. */
const run = async (userId: number, hookId: number): Promise<Rest> => {
  const [found, all] = await Promise.all([readOne(userId, hookId), readDue(hookId, maxPerJob)]);
  if (!found) return 'never';
  const { webhook, user } = found;
  if (getSetting('WEBHOOKS') === 'off') return giveUpAll(hookId, all, reasons.allOff);
  if (!isActive(webhook) || !mayDeliver(user)) return giveUpAll(hookId, all, reasons.off);
  if ((webhook.restsUntil ?? 0) > Date.now()) return 'never';
  const hasAudit = all.some(({ type }) => isAuditName(type));
  const denied =
    hasAudit && !(await mayHearAudit(user)) ? all.filter(({ type }) => isAuditName(type)) : [];
  const stale = all.filter((due) => isStale(due) && !denied.includes(due));
  await giveUpAll(hookId, denied, reasons.off);
  await giveUpAll(hookId, stale, reasons.stale);
  const given = new Set([...denied, ...stale]);
  return deliver(
    webhook,
    all.filter((due) => !given.has(due)),
  );
};

/**
 * Delivers what is due of a webhook, one job at a time. Each webhook has its own list of what is due, so one that hangs delays
 * no other, whatever waits for it (decisions.md#webhooks).
 * @throws DeferredError if its host may be slow while other slow ones are being called
 */
export const deliverDue = async (webhook: JobWebhook): Promise<void> => {
  const { userId, hookId } = webhook;
  await forgetJob(hookId);
  const by = createRandomId();
  let rest: Rest | undefined;
  try {
    rest = await withLease(`webhook-${hookId}`, () => run(userId, hookId));
  } catch (error) {
    // It is put off, unless another job came in between: one is enough.
    if (error instanceof DeferredError && !(await markJob(hookId, by))) return;
    throw error;
  }
  // Who holds the lease looks again once it is free, and finds what came meanwhile.
  if (rest === undefined || rest === 'never' || (await readDue(hookId, 1)).length === 0) return;
  const delaySeconds = rest === 'later' ? laterSeconds : 0;
  await wake({ userId, hookId }, by, delaySeconds);
};
