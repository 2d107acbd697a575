import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import { getDeviceFamily } from '../../../../shared/auth/device.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import type { ClientInfo, SessionActor } from '../../../../shared/http/route.ts';
import { AppError, invalidField } from '../../../../shared/runtime/errors.ts';
import { createRetry } from '../../../../shared/runtime/retry.ts';
import { type Enrolled, withFirstCodes } from '../factors/authenticator.ts';
import { changeFactors } from '../factors/change-factors.ts';
import { useWrite } from '../factors/prove.ts';
import { provenStep } from '../factors/proven-step.ts';
import {
  getWithFactors,
  type StoredFactors,
  type StoredPasskey,
} from '../factors/stored-factors.ts';
import { createChallenge, openChallenge } from './challenges.ts';
import { toNewPasskeyOptions } from './options.ts';
import { getRelyingParty } from './relying-party.ts';
import type { NewPasskeyResponse } from './schemas.ts';
import { UnverifiedError } from './unverified-error.ts';
import { toPasskeyId } from './use.ts';

const maxPasskeys = 10;

type Passkeys = NonNullable<StoredFactors['passkeys']>;

const assertRoom = (passkeys: Passkeys): void => {
  if (Object.keys(passkeys).length >= maxPasskeys) {
    throw new AppError('CONFLICT', `You can have up to ${maxPasskeys} passkeys. Remove one first.`);
  }
};

const notFound = () => new AppError('NOT_FOUND', 'Passkey not found.');

/** Returns the name of a new passkey: that of the device, with a number if another passkey has it. */
const createName = (passkeys: Passkeys, { userAgent = '' }: ClientInfo): string => {
  const device = getDeviceFamily(userAgent) ?? 'Passkey';
  const taken = new Set(Object.values(passkeys).map(({ name }) => name));
  let name = device;
  for (let number = 2; taken.has(name); number++) name = `${device} ${number}`;
  return name;
};

/**
 * Creates the options of a new passkey of the caller, who must have proven who they are: the challenge carries it on.
 * @throws AppError CONFLICT if there are 10, or as `getRelyingParty`
 */
export const createOptions = async ({ user }: SessionActor) => {
  const rp = getRelyingParty();
  const { passkeys = {} } = (await getWithFactors(user.id)).factors;
  assertRoom(passkeys);
  const { challengeToken, challenge } = await createChallenge('add', user.id);
  return { challengeToken, options: toNewPasskeyOptions(rp, user, passkeys, challenge) };
};

/** What the caller sends of a new passkey. */
export interface NewPasskey {
  readonly challengeToken: string;
  readonly response: NewPasskeyResponse;
  /** By default, that of the device. */
  readonly name?: string | null | undefined;
}

/**
 * Adds a passkey. The first factor makes recovery codes.
 * @throws AppError VALIDATION_ERROR about `response` or `challengeToken`; CONFLICT if there are 10, it was added before, or as
 *   `getRelyingParty`
 */
export const addPasskey = async (
  actor: SessionActor,
  { challengeToken, response, name }: NewPasskey,
  client: ClientInfo,
  recorder: ChangeRecorder,
): Promise<Enrolled> => {
  const { challenge, claim } = await openChallenge(challengeToken, 'add', actor.user.id);
  const rp = getRelyingParty();
  const { verifyNew } = await import('./verification.ts');
  const made = await verifyNew(response, { challenge, rp }).catch((error) => {
    throw error instanceof UnverifiedError
      ? invalidField('response', 'could not be verified', error)
      : error;
  });
  const id = toPasskeyId(made.credentialId);
  let shown: string[] | null = null;
  const { factors } = await changeFactors(
    actor.user.id,
    async ({ factors: before }) => {
      const { passkeys = {} } = before;
      if (passkeys[id]) throw new AppError('CONFLICT', 'This passkey was added before.');
      assertRoom(passkeys);
      const now = new Date().toISOString();
      const { codes, stored } = await withFirstCodes(before, now);
      shown = codes;
      const passkey: StoredPasskey = {
        ...made,
        name: name ?? createName(passkeys, client),
        createdAt: now,
      };
      return {
        factors: { ...before, passkeys: { ...passkeys, [id]: passkey }, codes: stored },
        after: {
          factor: 'passkey',
          passkey: id,
          name: passkey.name,
          ...(codes && { codes: codes.length }),
        },
        alert: 'factor-added',
        steps: [claim, provenStep(actor, now, { hasFactor: true })],
      };
    },
    recorder,
  );
  return { factors, codes: shown };
};

const retryOnConflict = createRetry('The account is being modified. Try again.');

/**
 * Renames a passkey. Nothing that was signed before ends by it.
 * @throws AppError NOT_FOUND
 */
export const renamePasskey = (
  { user }: SessionActor,
  id: string,
  name: string,
  recorder: ChangeRecorder,
): Promise<StoredFactors> =>
  retryOnConflict(async () => {
    const { factors } = await getWithFactors(user.id);
    const before = factors.passkeys?.[id];
    if (!before) throw notFound();
    const refused = await transact([
      useWrite(factors, {
        sets: ['passkeys.#id.#name = :name'],
        condition: 'passkeys.#id.#name = :before',
        names: { '#id': id, '#name': 'name' },
        values: { ':name': name, ':before': before.name },
      }),
      ...recorder.steps({
        subject: `user:${user.id}`,
        before: { passkey: id, name: before.name },
        after: { passkey: id, name },
      }),
    ]);
    if (refused) return undefined;
    return { ...factors, passkeys: { ...factors.passkeys, [id]: { ...before, name } } };
  });

/**
 * Removes a passkey. The last factor takes the recovery codes along.
 * @throws AppError NOT_FOUND
 */
export const removePasskey = async (
  { user }: SessionActor,
  id: string,
  recorder: ChangeRecorder,
): Promise<StoredFactors> => {
  const { factors } = await changeFactors(
    user.id,
    ({ factors: { passkeys = {}, ...kept } }) => {
      const { [id]: removed, ...others } = passkeys;
      if (!removed) throw notFound();
      return {
        factors: { ...kept, ...(Object.keys(others).length > 0 && { passkeys: others }) },
        before: { factor: 'passkey', passkey: id, name: removed.name },
        alert: 'factor-removed',
      };
    },
    recorder,
  );
  return factors;
};
