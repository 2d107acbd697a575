import { conditionalPut } from '../../db/conditional-write.ts';
import { createRetry } from '../../runtime/retry.ts';
import {
  type CodePlace,
  type HashedCode,
  isCurrent,
  loadCode,
  type StoredCode,
} from './stored-code.ts';

/** How long after a code there is another one, in ms. */
export const pauseMs = 60_000;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const maxAnHour = 3;
const maxADay = 10;
/** How many former codes are told from wrong ones. */
const maxFormer = 3;

/** Returns from when on a network gets another code, if it has had too many (ms since 1970). */
const findWait = (recent: StoredCode['recent'], network: string, now: number) => {
  const [first] = recent;
  if (first && recent.length >= maxADay) return first.at + dayMs;
  const own = recent.filter((one) => one.network === network && one.at > now - hourMs);
  return own[0] && own.length >= maxAnHour ? own[0].at + hourMs : undefined;
};

const writeCode = async (
  { key }: CodePlace,
  code: StoredCode,
  before: StoredCode | undefined,
): Promise<boolean> => {
  const { written } = await conditionalPut({
    Item: { ...code, ...key, ttl: Math.ceil((code.sentAt + dayMs) / 1_000) },
    ...(before
      ? { ConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': before.id } }
      : { ConditionExpression: 'attribute_not_exists(pk)' }),
  });
  return written;
};

/** Whether a code is now the newest of its place and valid, and from when on there is another one, if too many were asked for. */
export interface Added {
  readonly isNewest: boolean;
  readonly refusedUntil?: number;
}

const retryOnConflict = createRetry('Another code is being sent. Try again.', 6);

/**
 * Makes a code the newest of its place, which ends the one before: but not within a minute of that, and 3 times an hour for a
 * network and 10 times a day at most. The same code again stays as it is, also once it has expired.
 * @throws AppError SERVICE_UNAVAILABLE after repeated conflicts
 */
export const addCode = (place: CodePlace, code: HashedCode, network: string): Promise<Added> =>
  retryOnConflict(async () => {
    const now = Date.now();
    const stored = await loadCode(place.key);
    const before = stored?.proofId === place.proofId ? stored : undefined;
    if (before?.id === code.id) return { isNewest: isCurrent(before, now) };
    if (before && now < before.sentAt + pauseMs) return { isNewest: false };
    const recent = (stored?.recent ?? []).filter(({ at }) => at > now - dayMs);
    const refusedUntil = findWait(recent, network, now);
    if (refusedUntil !== undefined) return { isNewest: false, refusedUntil };
    const former = before && isCurrent(before, now) ? [before, ...before.former] : [];
    const created: StoredCode = {
      ...code,
      proofId: place.proofId,
      sentAt: now,
      tries: 0,
      former: former.slice(0, maxFormer).map(({ id, hash, kid }) => ({ id, hash, kid })),
      recent: [...recent, { at: now, network }],
    };
    return (await writeCode(place, created, stored)) ? { isNewest: true } : undefined;
  });
