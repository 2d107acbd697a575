import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import { isPassword } from '../../../../shared/auth/passwords.ts';
import { hasUsablePassword, reauthenticationRequired } from '../../../../shared/auth/step-up.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import type { SessionActor } from '../../../../shared/http/route.ts';
import { invalidField } from '../../../../shared/runtime/errors.ts';
import { createRetry } from '../../../../shared/runtime/retry.ts';
import { getUses, type Proven, usedCodeAlert } from './prove.ts';
import { provenStep } from './proven-step.ts';
import { getMethods, getWithFactors, type WithFactors } from './stored-factors.ts';
import { reportingFailure } from './wrong-code.ts';

/** What is sent to prove who one is. */
export interface ProofInput {
  readonly currentPassword?: string | null | undefined;
  /** Checks the code or the passkey that was sent. */
  readonly prove: (found: WithFactors) => Promise<Proven>;
}

const retryOnConflict = createRetry('The account is being modified. Try again.', 4);

/**
 * Records that the session's owner has proven who they are, and returns when. What proves it is used up in the same transaction.
 * @throws AppError VALIDATION_ERROR about `currentPassword`; REAUTHENTICATION_REQUIRED about `signIn` without factor and password; as `prove`; UNAUTHORIZED if the session has ended;
 *   SERVICE_UNAVAILABLE after repeated conflicts
 */
export const reauthenticate = (
  actor: SessionActor,
  { prove, currentPassword }: ProofInput,
  recorder: ChangeRecorder,
): Promise<string> =>
  retryOnConflict(async () => {
    const found = await getWithFactors(actor.user.id);
    const { user, factors } = found;
    const hasFactor = getMethods(factors).length > 0;
    if (!hasFactor && !hasUsablePassword(user)) {
      throw reauthenticationRequired('signIn', 'Sign in again.', 'You have no password.');
    }
    if (!hasFactor && currentPassword == null) throw invalidField('currentPassword', 'is required');
    if (!hasFactor && !(await isPassword(currentPassword ?? '', user.passwordHash))) {
      throw invalidField('currentPassword', 'is incorrect');
    }
    const check = () => prove(found);
    const proven = hasFactor ? await reportingFailure(user, recorder, check) : undefined;
    const at = new Date().toISOString();
    const refused = await transact([
      ...(proven ? [...getUses(proven), ...usedCodeAlert(user, proven.factor)] : []),
      provenStep(actor, at, { hasFactor }),
      ...recorder.steps({
        subject: `user:${user.id}`,
        after: { session: actor.sessionId, factor: proven?.factor ?? 'password' },
      }),
    ]);
    return refused ? undefined : at;
  });
