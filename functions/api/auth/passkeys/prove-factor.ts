import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import { invalidField } from '../../../../shared/runtime/errors.ts';
import { type Proven, proveByCode } from '../factors/prove.ts';
import type { WithFactors } from '../factors/stored-factors.ts';
import type { PasskeyProof } from './schemas.ts';

/** What proves a second factor: a code, or else a passkey. */
export interface FactorProof {
  readonly code?: string | null | undefined;
  readonly passkey?: PasskeyProof | null | undefined;
}

/**
 * Checks a proof against a user and the factors as read. Nothing is written: the caller's transaction uses it up.
 * @throws AppError VALIDATION_ERROR about `code`, `passkey` or `challengeToken`; FORBIDDEN for a passkey that seems to be copied
 */
export const proveFactor = async (
  { code, passkey }: FactorProof,
  found: WithFactors,
  use: 'second' | 'prove',
  recorder: ChangeRecorder,
): Promise<Proven> => {
  if (passkey) {
    const { proveByPasskey } = await import('./prove.ts');
    return proveByPasskey(passkey, found, use, recorder);
  }
  if (code == null) throw invalidField('code', 'is required');
  return proveByCode(code, found.factors);
};
