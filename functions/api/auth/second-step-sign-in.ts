import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import type { ClientInfo } from '../../../shared/http/route.ts';
import { createRetry } from '../../../shared/runtime/retry.ts';
import { getUses, type Proven, proveByCode, usedCodeAlert } from './factors/prove.ts';
import { readSecondStep } from './factors/second-step.ts';
import type { WithFactors } from './factors/stored-factors.ts';
import { reportingFailure } from './factors/wrong-code.ts';
import { createSession, type SignedIn } from './sign-in.ts';

const retryOnConflict = createRetry('The account is being modified. Try again.', 4);

/** Checks what was sent for a second step, and says what it proved. */
type Prove = (found: WithFactors) => Promise<Proven>;

/**
 * Completes a sign-in by a second factor. What proves it is used up in the transaction that stores the session.
 * @throws AppError UNAUTHORIZED if the token is invalid or over 5 minutes old, or the account has changed since;
 *   VALIDATION_ERROR about the code; SERVICE_UNAVAILABLE after repeated conflicts
 */
export const completeSignIn = (
  mfaToken: string,
  prove: Prove,
  client: ClientInfo,
  recorder: ChangeRecorder,
): Promise<SignedIn> =>
  retryOnConflict(async () => {
    const found = await readSecondStep(mfaToken);
    const { user, began } = found;
    const proven = await reportingFailure(user, recorder, () => prove(found), client);
    const uses = [...getUses(proven), ...usedCodeAlert(user, proven.factor)];
    return createSession(user, { ...began, factor: proven.factor, uses }, client, recorder);
  });

/** Completes a sign-in by a code, as `completeSignIn` does. */
export const completeByCode = (
  mfaToken: string,
  code: string,
  client: ClientInfo,
  recorder: ChangeRecorder,
): Promise<SignedIn> =>
  completeSignIn(mfaToken, ({ factors }) => proveByCode(code, factors), client, recorder);
