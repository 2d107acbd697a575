import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import { userKeys } from '../../../../shared/auth/keys.ts';
import { documentClient, tableName } from '../../../../shared/db/dynamodb.ts';
import type { SessionActor } from '../../../../shared/http/route.ts';
import { AppError, invalidField } from '../../../../shared/runtime/errors.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { toShownEmail } from '../../../../shared/text/email-address.ts';
import { changeFactors } from './change-factors.ts';
import { provenStep } from './proven-step.ts';
import { getMethods, type StoredFactors } from './stored-factors.ts';

// Loaded with the first use: a plain sign-in needs none of it (decisions.md#cold-starts).
const loadTotp = () => import('./totp.ts');
const loadCodes = () => import('./recovery-codes.ts');

const pendingMs = 10 * 60_000;

/** An authenticator app to be set up. */
export interface NewTotp {
  /** The key, in Base32. */
  readonly secret: string;
  /** What a QR code shows to the app. */
  readonly uri: string;
}

/** Factors after a change, and the recovery codes if it made some. */
export interface Enrolled {
  readonly factors: StoredFactors;
  readonly codes: string[] | null;
}

/**
 * Begins to set up an authenticator app, for 10 minutes. The one before stays until a code of the new one is entered, and the
 * epoch of the factors stays, too: nothing is asked yet.
 */
export const beginTotp = async ({ user }: SessionActor): Promise<NewTotp> => {
  const { createSecret, toUri } = await loadTotp();
  const secret = createSecret();
  const expiresAt = new Date(Date.now() + pendingMs).toISOString();
  await documentClient().send(
    new UpdateCommand({
      TableName: tableName(),
      Key: userKeys.factors.at({ userId: user.id }),
      UpdateExpression:
        'SET pendingTotp = :pending, userId = :userId, epoch = if_not_exists(epoch, :epoch), version = if_not_exists(version, :none) + :one',
      ExpressionAttributeValues: {
        ':pending': { secret, expiresAt },
        ':userId': user.id,
        ':epoch': user.factorEpoch ?? 0,
        ':none': 0,
        ':one': 1,
      },
    }),
  );
  const { host } = new URL(getSetting('PUBLIC_URL'));
  return { secret, uri: toUri(secret, `Handbill ${host}`, toShownEmail(user.email)) };
};

/** Returns the recovery codes that come with the first factor, and what is stored of them. */
export const withFirstCodes = async (factors: StoredFactors, now: string) => {
  if (factors.codes && getMethods(factors).length > 0)
    return { codes: null, stored: factors.codes };
  const { createCodes } = await loadCodes();
  const { shown, stored } = await createCodes(now);
  return { codes: shown, stored };
};

/**
 * Sets up the authenticator app by one of its codes, in place of the one before. The first factor makes recovery codes.
 * @throws AppError CONFLICT if none is being set up; VALIDATION_ERROR about `code`; UNAUTHORIZED if the session has ended
 */
export const confirmTotp = async (
  actor: SessionActor,
  code: string,
  recorder: ChangeRecorder,
): Promise<Enrolled> => {
  const { findStep } = await loadTotp();
  let made: string[] | null = null;
  const { factors } = await changeFactors(
    actor.user.id,
    async ({ factors: before }) => {
      const now = new Date().toISOString();
      const { pendingTotp: pending, ...kept } = before;
      if (!pending || pending.expiresAt <= now) {
        throw new AppError('CONFLICT', 'No authenticator app is being set up. Start again.');
      }
      const lastStep = findStep(code, pending.secret, Date.now());
      if (lastStep === undefined) throw invalidField('code', 'is incorrect');
      const { codes, stored } = await withFirstCodes(before, now);
      made = codes;
      return {
        factors: {
          ...kept,
          totp: { secret: pending.secret, createdAt: now, lastStep },
          codes: stored,
        },
        after: { factor: 'totp', ...(codes && { codes: codes.length }) },
        alert: 'factor-added',
        steps: [provenStep(actor, now, { hasFactor: true })],
      };
    },
    recorder,
  );
  return { factors, codes: made };
};

/**
 * Removes the authenticator app.
 * @throws AppError NOT_FOUND
 */
export const removeTotp = async (
  { user }: SessionActor,
  recorder: ChangeRecorder,
): Promise<StoredFactors> => {
  const { factors } = await changeFactors(
    user.id,
    ({ factors: { totp, ...kept } }) => {
      if (!totp) throw new AppError('NOT_FOUND', 'There is no authenticator app.');
      return { factors: kept, before: { factor: 'totp' }, alert: 'factor-removed' };
    },
    recorder,
  );
  return factors;
};

/**
 * Replaces the recovery codes by ten new ones.
 * @throws AppError CONFLICT without a second factor
 */
export const renewCodes = async (
  { user }: SessionActor,
  recorder: ChangeRecorder,
): Promise<string[]> => {
  const { createCodes } = await loadCodes();
  const { shown, stored } = await createCodes(new Date().toISOString());
  await changeFactors(
    user.id,
    ({ factors }) => {
      if (getMethods(factors).length === 0) {
        throw new AppError('CONFLICT', 'Set up an authenticator app or a passkey first.');
      }
      return {
        factors: { ...factors, codes: stored },
        after: { codes: shown.length },
        alert: 'codes-created',
      };
    },
    recorder,
  );
  return shown;
};
