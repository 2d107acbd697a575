import { userKeys } from '../../../../shared/auth/keys.ts';
import type { ProofMethod } from '../../../../shared/auth/second-factors.ts';
import type { StoredUser } from '../../../../shared/auth/user.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import type { Step } from '../../../../shared/db/transaction.ts';
import { invalidField } from '../../../../shared/runtime/errors.ts';
import { alertWrite } from '../../users/record/security-alert.ts';
import type { StoredFactors } from './stored-factors.ts';

/** What a code proved, and the write that uses it up: it is refused if the code was used or the factors have changed. */
export interface Proven {
  readonly factor: ProofMethod;
  readonly use: Step<'changed'>;
  /** The write that uses up the challenge of a passkey. */
  readonly claim?: Step;
}

/** Returns the writes that use a proof up. They must be in the transaction of what follows from it. */
export const getUses = ({ use, claim }: Proven): readonly Step<'changed'>[] =>
  claim ? [use, claim] : [use];

/** Creates the write that uses something up, if the factors are as read. */
export const useWrite = (
  { userId, epoch }: StoredFactors,
  {
    sets = [],
    removes = '',
    condition,
    names,
    values = {},
  }: {
    readonly sets?: readonly string[];
    readonly removes?: string;
    readonly condition: string;
    readonly names: Readonly<Record<string, string>>;
    readonly values?: Readonly<Record<string, unknown>>;
  },
): Step<'changed'> => ({
  write: {
    Update: {
      TableName: tableName(),
      Key: userKeys.factors.at({ userId }),
      UpdateExpression: `SET ${['version = version + :one', ...sets].join(', ')}${removes}`,
      ConditionExpression: `epoch = :epoch AND ${condition}`,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ':epoch': epoch, ':one': 1, ...values },
    },
  },
  refused: 'changed',
});

/** Creates the step that tells the owner of a used recovery code: whoever has the list can come back. */
export const usedCodeAlert = (user: StoredUser, factor: ProofMethod): readonly Step[] =>
  factor === 'recovery' ? [{ write: alertWrite(user, 'code-used') }] : [];

const incorrect = () => invalidField('code', 'is incorrect');

/**
 * Checks a code of the authenticator app or a recovery code against the factors as read. Nothing is written: the caller's
 * transaction uses the code up, so that of two requests with one code one succeeds.
 * @throws AppError VALIDATION_ERROR about `code`
 */
export const proveByCode = async (typed: string, factors: StoredFactors): Promise<Proven> => {
  // Loaded with the first code: sign-ins without a second factor need none of it.
  const [{ findStep, isTotpCode }, { findCode, isRecoveryCode }] = await Promise.all([
    import('./totp.ts'),
    import('./recovery-codes.ts'),
  ]);
  const { totp, codes } = factors;
  if (totp && isTotpCode(typed)) {
    const step = findStep(typed, totp.secret, Date.now(), totp.lastStep);
    if (step === undefined) throw incorrect();
    return {
      factor: 'totp',
      use: useWrite(factors, {
        sets: ['#totp.lastStep = :step'],
        condition: '#totp.lastStep < :step',
        names: { '#totp': 'totp' },
        values: { ':step': step },
      }),
    };
  }
  const hash = codes && isRecoveryCode(typed) ? await findCode(typed, codes) : undefined;
  if (hash === undefined) throw incorrect();
  return {
    factor: 'recovery',
    use: useWrite(factors, {
      removes: ' REMOVE codes.unused.#hash',
      condition: 'attribute_exists(codes.unused.#hash)',
      names: { '#hash': hash },
    }),
  };
};
