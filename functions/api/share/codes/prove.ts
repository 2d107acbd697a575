import type { StoredCode } from '../../../../shared/auth/email-codes/stored-code.ts';
import { type CodeFault, tryCode } from '../../../../shared/auth/email-codes/try-code.ts';
import { conditionalUpdate } from '../../../../shared/db/conditional-write.ts';
import { shareKeys } from '../record/keys.ts';
import { type AskingLink, getCodePlace } from './asking.ts';

/** How long a code that was entered is accepted again, because forms are sent twice. */
const repeatMs = 60_000;

/** What came of a code: nothing is wrong, or how many tries are left. */
export interface Proving {
  readonly fault: CodeFault | undefined;
  readonly left: number;
}

/** Keeps that a code was entered: unless there is a newer one, or the link is for another address now. */
const keepProof = async (link: AskingLink, { id }: StoredCode): Promise<boolean> => {
  const now = Date.now();
  const [used, verified] = await Promise.all([
    conditionalUpdate({
      Key: getCodePlace(link).key,
      UpdateExpression: 'SET usedAt = if_not_exists(usedAt, :now)',
      ConditionExpression: 'id = :id',
      ExpressionAttributeValues: { ':now': now, ':id': id },
    }),
    conditionalUpdate({
      Key: shareKeys.link.at({ linkId: link.id }),
      UpdateExpression: 'SET verifiedAt = :now',
      ConditionExpression: 'proofId = :proof',
      ExpressionAttributeValues: { ':now': now, ':proof': link.proofId },
    }),
  ]);
  return used.written && verified.written;
};

/** Tries a code of six digits for a link. */
export const proveByCode = async (link: AskingLink, code: string): Promise<Proving> => {
  const tried = await tryCode(getCodePlace(link), code, repeatMs);
  if (!tried.right) return tried;
  return { fault: (await keepProof(link, tried.right)) ? undefined : 'former', left: 0 };
};
