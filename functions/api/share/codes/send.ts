import { randomInt } from 'node:crypto';
import { conditionalPut } from '../../../../shared/db/conditional-write.ts';
import { createRandomText } from '../../../../shared/db/ids.ts';
import { enqueue } from '../../../../shared/jobs/queue.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { isMailOn } from '../../../../shared/runtime/settings.ts';
import { shareKeys } from '../record/keys.ts';
import { retryOnConflict } from '../record/share.ts';
import type { AskingLink } from './asking.ts';
import { linkCodeEmail } from './jobs.ts';
import { hashCode, isCurrent, loadCode, type StoredCode } from './stored-code.ts';

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

const writeCode = async (linkId: string, code: StoredCode, before: StoredCode | undefined) => {
  const { written } = await conditionalPut({
    Item: {
      ...code,
      ...shareKeys.linkCode.at({ linkId }),
      ttl: Math.ceil((code.sentAt + dayMs) / 1_000),
    },
    ...(before
      ? { ConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': before.id } }
      : { ConditionExpression: 'attribute_not_exists(pk)' }),
  });
  return written;
};

/**
 * Emails a new code to the address of a link, which ends the one before. Within a minute of that, nothing is sent. Returns from
 * when on there is another code (ms since 1970), if too many were asked for.
 * @throws AppError SERVICE_UNAVAILABLE while email is off
 */
export const sendCode = async (
  { id: linkId, proofId }: AskingLink,
  network: string,
): Promise<{ readonly refusedUntil: number | undefined }> => {
  if (!isMailOn()) {
    throw new AppError('SERVICE_UNAVAILABLE', 'This service sends no email now. Try again later.');
  }
  return retryOnConflict(async () => {
    const now = Date.now();
    const stored = await loadCode(linkId);
    // Codes for a former address prove nothing, but count.
    const before = stored?.proofId === proofId ? stored : undefined;
    if (before && now < before.sentAt + pauseMs) return { refusedUntil: undefined };
    const recent = (stored?.recent ?? []).filter(({ at }) => at > now - dayMs);
    const refusedUntil = findWait(recent, network, now);
    if (refusedUntil !== undefined) return { refusedUntil };
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const hashed = await hashCode(createRandomText(9), code);
    const former = before && isCurrent(before, now) ? [before, ...before.former] : [];
    const created: StoredCode = {
      ...hashed,
      proofId,
      sentAt: now,
      tries: 0,
      former: former.slice(0, maxFormer).map(({ id, hash, kid }) => ({ id, hash, kid })),
      recent: [...recent, { at: now, network }],
    };
    if (!(await writeCode(linkId, created, stored))) return undefined;
    await enqueue(linkCodeEmail, { linkId, id: created.id, code });
    return { refusedUntil: undefined };
  });
};
