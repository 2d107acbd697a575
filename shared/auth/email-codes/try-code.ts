import { conditionalUpdate } from '../../db/conditional-write.ts';
import {
  type CodePlace,
  codeLifetimeMs,
  type HashedCode,
  isCode,
  maxTries,
  parseCode,
  type StoredCode,
} from './stored-code.ts';

/** Why a code isn't accepted: it is another one, not the newest, over, or was tried too often. */
export type CodeFault = 'incorrect' | 'former' | 'expired' | 'spent';

/** What came of a code: the stored one that it is, or what is wrong and how many tries are left. */
export type Tried =
  | { readonly right: StoredCode }
  | { readonly right: undefined; readonly fault: CodeFault; readonly left: number };

/** Counts a try before anything is compared. Returns the newest code, if it can still be tried. */
const countTry = async ({ key, proofId }: CodePlace, repeatMs: number, now: number) => {
  const { written, item } = await conditionalUpdate({
    Key: key,
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

const isOneOf = async (
  place: CodePlace,
  codes: readonly HashedCode[],
  code: string,
): Promise<boolean> =>
  (await Promise.all(codes.map((one) => isCode(place, one, code)))).includes(true);

/**
 * Tries a code of six digits. The right one isn't used up by that, but counts as tried.
 * @param repeatMs - for how long after its use a code is accepted again
 */
export const tryCode = async (place: CodePlace, code: string, repeatMs = 0): Promise<Tried> => {
  const { isCounted, newest } = await countTry(place, repeatMs, Date.now());
  if (!isCounted || !newest) {
    const isSpent = newest?.proofId === place.proofId && newest.tries >= maxTries;
    return { right: undefined, fault: isSpent ? 'spent' : 'expired', left: 0 };
  }
  if (await isCode(place, newest, code)) return { right: newest };
  const isFormer = await isOneOf(place, newest.former, code);
  const fault = isFormer ? 'former' : 'incorrect';
  return { right: undefined, fault, left: maxTries - newest.tries };
};
