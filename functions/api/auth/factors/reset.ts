import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { assertCanGiveAccess, assertCanManage, readRolesFrom } from '../../users/grants.ts';
import { changeFactors } from './change-factors.ts';
import { getMethods, type StoredFactors } from './stored-factors.ts';

/**
 * Removes all second factors and recovery codes of a user who has lost them. Open second steps and trusted devices end; sessions
 * and connected accounts stay. The owner is told.
 * @param actor - who must not rank below the user, and must have all that the user may; `undefined` for who operates the service
 * @throws AppError FORBIDDEN for a user of a higher rank or with more permissions; NOT_FOUND without the user or any second factor
 */
export const resetFactors = async (
  userId: number,
  actor: Actor | undefined,
  recorder: ChangeRecorder,
): Promise<StoredFactors> => {
  const { factors } = await changeFactors(
    userId,
    async ({ user, factors: before }) => {
      if (actor) {
        const roles = await readRolesFrom(actor, user.role);
        assertCanManage(actor, user, roles);
        assertCanGiveAccess(actor, user, roles);
      }
      const methods = getMethods(before);
      if (methods.length === 0) {
        throw new AppError('NOT_FOUND', 'This user has no second factor.');
      }
      const { identities } = before;
      return {
        factors: { ...(identities && { identities }) },
        before: { secondFactors: methods },
        alert: 'factors-reset',
      };
    },
    recorder,
  );
  return factors;
};
