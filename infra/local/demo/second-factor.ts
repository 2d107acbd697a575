import { changeFactors } from '../../../functions/api/auth/factors/change-factors.ts';
import { createCodes } from '../../../functions/api/auth/factors/recovery-codes.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import type { Username } from './team.ts';

/** Who has an authenticator app. */
export const withApp: Username = 'camila';

/** The app's key, in Base32: the same for every start, so that anyone can add it to an app of their own. */
export const appKey = 'HANDB2LLDEMQKEY2HANDB2LLDEMQKEY2';

/** Sets up the authenticator app of a person of the demo. */
export const setUpApp = async (userId: number): Promise<void> => {
  const createdAt = new Date().toISOString();
  const { stored } = await createCodes(createdAt);
  await changeFactors(
    userId,
    () => ({
      factors: { totp: { secret: appKey, createdAt, lastStep: 0 }, codes: stored },
      after: { factor: 'totp', codes: Object.keys(stored.unused).length },
    }),
    systemRecorder('factor.create'),
  );
};
