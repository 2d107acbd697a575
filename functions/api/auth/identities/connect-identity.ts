import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import { isSessionActive, parseSession } from '../../../../shared/auth/actor.ts';
import { describeDevice } from '../../../../shared/auth/device.ts';
import { userKeys } from '../../../../shared/auth/keys.ts';
import type { Claims } from '../../../../shared/auth/tokens.ts';
import { isActive } from '../../../../shared/auth/user.ts';
import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import { type Step, transact } from '../../../../shared/db/transaction.ts';
import type { ClientInfo } from '../../../../shared/http/route.ts';
import { createRetry } from '../../../../shared/runtime/retry.ts';
import {
  getSignInPlace,
  preparePlaceCodes,
  recognizePlace,
} from '../../users/account/sign-in-places.ts';
import { freeIdentities } from '../../users/record/end-factors.ts';
import { proveFirst } from '../../users/record/first-proof.ts';
import { alertWrite } from '../../users/record/security-alert.ts';
import { isAsSigned } from '../factors/second-step.ts';
import { findWithFactors, type WithFactors } from '../factors/stored-factors.ts';
import type { AnswerUse, ConnectOutcome, ConnectRefusal, Identity } from './identity.ts';
import { connectSteps, findAt, findOwner } from './store.ts';

/** Who connects: the session, and the epochs of the account when connecting began. */
export type Connecting = Pick<Claims<'connect'>, 'sub' | 'se' | 'fe' | 'sid'>;

const retryOnConflict = createRetry('The account is being modified. Try again.', 4);

/** Finds the account if its session is active and nothing has changed since connecting began. */
const findConnecting = async (by: Connecting): Promise<WithFactors | undefined> => {
  const userId = Number(by.sub);
  const [found, [item]] = await Promise.all([
    findWithFactors(userId),
    batchGet([userKeys.session.at({ userId, id: by.sid })]),
  ]);
  const session = parseSession(item);
  if (!found || !isActive(found.user) || !session || !isAsSigned(found.user, by)) return undefined;
  return isSessionActive(session, found.user, Date.now()) ? found : undefined;
};

/** Creates the step that requires the session, and moves it on if all others end. */
const sessionStep = ({ sub, sid, se }: Connecting, epoch: number): Step<'changed'> => ({
  write: {
    Update: {
      TableName: tableName(),
      Key: userKeys.session.at({ userId: Number(sub), id: sid }),
      UpdateExpression: 'SET epoch = :epoch',
      ConditionExpression: 'attribute_exists(pk) AND epoch = :seen',
      ExpressionAttributeValues: { ':epoch': epoch, ':seen': se },
    },
  },
  refused: 'changed',
});

/**
 * Connects an identity with the account of whoever is signed in. If it proves the address of the account for the first time, all
 * that was there before ends, but this session and the password (decisions.md#proven-addresses). The owner is told. An identity
 * that is the account's already stays as it is.
 * @throws the error of `use`; AppError SERVICE_UNAVAILABLE after repeated conflicts
 */
export const connectIdentity = (
  identity: Identity,
  by: Connecting,
  use: AnswerUse,
  client: ClientInfo,
  recorder: ChangeRecorder,
): Promise<ConnectOutcome> =>
  retryOnConflict(async () => {
    const refuse = async (reason: ConnectRefusal): Promise<ConnectOutcome> => {
      await transact([use]);
      return { kind: 'refused', reason };
    };
    const [known, found] = await Promise.all([findOwner(identity), findConnecting(by)]);
    if (!found) return refuse('ended');
    const { user: before, factors } = found;
    if (known.owner) {
      if (known.owner.user.id !== before.id) return refuse('of-another-user');
      await transact([use]);
      return { kind: 'connected' };
    }
    if (findAt(factors, identity.provider.issuer)) return refuse('has-another');
    const now = new Date().toISOString();
    const isFirstProof =
      identity.isEmailProven &&
      identity.email === before.email &&
      before.emailVerifiedAt === undefined;
    const proof = isFirstProof ? proveFirst(before, now) : undefined;
    const getCodes = await preparePlaceCodes(getSignInPlace(client));
    const { places: signInPlaces } = recognizePlace(undefined, getCodes(before.id));
    const { user, steps } = connectSteps(
      found,
      known,
      identity,
      proof && { ...proof.fields, signInPlaces },
      isFirstProof ? {} : factors,
    );
    const { label, name: provider } = identity.provider;
    const refused = await transact([
      ...steps,
      use,
      sessionStep(by, user.sessionEpoch),
      ...(proof?.steps ?? []),
      ...(isFirstProof ? freeIdentities(before.id, Object.keys(factors.identities ?? {})) : []),
      alertWrite(before, 'identity-connected', { token: label }),
      ...recorder.steps({
        subject: `user:${user.id}`,
        action: 'identity.connect',
        actor: before,
        after: {
          provider,
          ...(proof && { emailVerifiedAt: now }),
          ...describeDevice(client),
        },
      }),
    ]);
    return refused ? undefined : { kind: 'connected' };
  });
