import { updateFields, versionCondition } from '../../../../shared/db/field-update.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import { webhookDelivery } from '../../../../shared/webhooks/jobs.ts';
import { webhookKeys } from '../../../../shared/webhooks/keys.ts';
import { type PauseReason, pausedAfterMs, type StoredWebhook } from '../record/webhook.ts';
import type { Outcome } from './send.ts';

const minuteMs = 60_000;

/** After so many failures in a row, a webhook is tried once at a time and rests after each. */
const restsAfter = 10;

/** The longest rest (minutes), and that of a webhook which has never succeeded: others wait for their first time. */
const longest = { usual: 15, untilFirst: 240 };

/** What a slow try adds to `slow`; a quick one takes 1. So a host of which every other try hangs stays slow. */
const perSlow = 2;

/** The most that is kept of it, so that a host is quick again after as many quick tries. */
const mostSlow = 18;

/** Returns whether a webhook has failed so often in a row that one try is enough to learn whether its host is back. */
export const isFailing = ({ failures = 0 }: Pick<State, 'failures'>): boolean =>
  failures >= restsAfter;

/** The rest (ms): one minute, then twice as long each time. */
const toRest = (times: number, { succeededAt }: State): number =>
  Math.min(2 ** (times - 1), succeededAt === undefined ? longest.untilFirst : longest.usual) *
  minuteMs;

/** How often in a row the last try was such that the webhook rests. */
const countRests = ({ failures = 0, slow = 0 }: State, isSlow: boolean): number =>
  Math.max(isSlow ? Math.ceil(slow / perSlow) : 0, failures - restsAfter + 1);

/** What deliveries change of a webhook. */
type State = Pick<
  StoredWebhook,
  'failures' | 'failingSince' | 'lastTry' | 'succeededAt' | 'slow' | 'restsUntil'
>;

/** Returns the state of a webhook after outcomes, in their order. */
export const nextState = (webhook: State, outcomes: readonly Outcome[]): State => {
  let { failures = 0, failingSince, lastTry, succeededAt, slow = 0 } = webhook;
  for (const { tried, isSlow } of outcomes) {
    lastTry = tried;
    slow = isSlow ? Math.min(slow + perSlow, mostSlow) : Math.max(slow - 1, 0);
    if (tried.isDelivered) {
      failures = 0;
      failingSince = undefined;
      succeededAt = tried.at;
    } else {
      failures++;
      failingSince ??= tried.at;
    }
  }
  const state = {
    ...(failures > 0 && { failures }),
    ...(failingSince !== undefined && { failingSince }),
    ...(lastTry && { lastTry }),
    ...(succeededAt !== undefined && { succeededAt }),
    ...(slow > 0 && { slow }),
  };
  const rests = countRests(state, outcomes.at(-1)?.isSlow === true);
  return rests > 0 ? { ...state, restsUntil: Date.now() + toRest(rests, state) } : state;
};

/** Returns why a webhook is to be paused after outcomes. */
export const findPauseReason = (
  { failures = 0, failingSince }: State,
  outcomes: readonly Outcome[],
): Exclude<PauseReason, 'owner'> | undefined => {
  if (outcomes.at(-1)?.isGone) return 'gone';
  const isLong =
    failures > 0 &&
    failingSince !== undefined &&
    Date.now() - Date.parse(failingSince) >= pausedAfterMs;
  return isLong ? 'failures' : undefined;
};

/**
 * Stores the state of a webhook. If it rests, a job delivers to it after that. Returns whether it is stored: one that was changed
 * meanwhile, such as resumed, begins anew.
 */
export const saveState = async (webhook: StoredWebhook, state: State): Promise<boolean> => {
  const { id, userId, version } = webhook;
  const { failures, failingSince, lastTry, succeededAt, slow, restsUntil } = state;
  const write = updateFields(
    webhookKeys.hook.at({ userId, id }),
    { failures, failingSince, lastTry, succeededAt, slow, restsUntil },
    versionCondition(version),
  );
  const delaySeconds =
    restsUntil === undefined ? undefined : Math.ceil((restsUntil - Date.now()) / 1_000);
  const refused = await transact([
    { write, refused: 'changed' },
    {
      write:
        delaySeconds === undefined
          ? undefined
          : enqueueWrite(webhookDelivery, { userId, hookId: id }, { delaySeconds }),
    },
  ]);
  return refused === undefined;
};
