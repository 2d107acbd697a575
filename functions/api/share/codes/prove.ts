import { conditionalUpdate } from '../../../../shared/db/conditional-write.ts';
import { shareKeys } from '../record/keys.ts';
import type { AskingLink } from './asking.ts';
import {
  codeLifetimeMs,
  type HashedCode,
  isCode,
  maxTries,
  parseCode,
  type StoredCode,
} from './stored-code.ts';

/** How long a code that was entered is accepted again, because forms are sent twice. */
const repeatMs = 60_000;

/** Why a code isn't accepted: it is another one, not the newest, over, or was tried too often. */
export type CodeFault = 'incorrect' | 'former' | 'expired' | 'spent';

/** What came of a code: nothing is wrong, or how many tries are left. */
export interface Proving {
  readonly fault: CodeFault | undefined;
  readonly left: number;
}

/** Counts a try before anything is compared. Returns the newest code, if it can still be tried. */
const countTry = async ({ id: linkId, proofId }: AskingLink, now: number) => {
  const { written, item } = await conditionalUpdate({
    Key: shareKeys.linkCode.at({ linkId }),
    UpdateExpression: 'SET tries = tries + :one',
    ConditionExpression:
      'proofId = :proof AND sentAt > :oldest AND tries < :max AND (attribute_not_exists(usedAt) OR usedAt > :repeat)',
    ExpressionAttributeValues: {
      ...{ ':one': 1, ':max': maxTries, ':proof': proofId },
      ...{ ':oldest': now - codeLifetimeMs, ':repeat': now - repeatMs },
    },
  });
  return { isCounted: written, newest: item && parseCode(item) };
};

/** Keeps that a code was entered: unless there is a newer one, or the link is for another address now. */
const keepProof = async (
  { id: linkId, proofId }: AskingLink,
  { id }: StoredCode,
  now: number,
): Promise<boolean> => {
  const [used, verified] = await Promise.all([
    conditionalUpdate({
      Key: shareKeys.linkCode.at({ linkId }),
      UpdateExpression: 'SET usedAt = if_not_exists(usedAt, :now)',
      ConditionExpression: 'id = :id',
      ExpressionAttributeValues: { ':now': now, ':id': id },
    }),
    conditionalUpdate({
      Key: shareKeys.link.at({ linkId }),
      UpdateExpression: 'SET verifiedAt = :now',
      ConditionExpression: 'proofId = :proof',
      ExpressionAttributeValues: { ':now': now, ':proof': proofId },
    }),
  ]);
  return used.written && verified.written;
};

const isOneOf = async (codes: readonly HashedCode[], code: string): Promise<boolean> =>
  (await Promise.all(codes.map((one) => isCode(one, code)))).includes(true);

/** Tries a code of six digits for a link. */
export const proveByCode = async (link: AskingLink, code: string): Promise<Proving> => {
  const now = Date.now();
  const { isCounted, newest } = await countTry(link, now);
  if (!isCounted || !newest) {
    const isSpent = newest?.proofId === link.proofId && newest.tries >= maxTries;
    return { fault: isSpent ? 'spent' : 'expired', left: 0 };
  }
  if (await isCode(newest, code)) {
    return { fault: (await keepProof(link, newest, now)) ? undefined : 'former', left: 0 };
  }
  const left = maxTries - newest.tries;
  return { fault: (await isOneOf(newest.former, code)) ? 'former' : 'incorrect', left };
};
