import { type ChangeRecorder, changedFields } from '../../../shared/audit/audit-log.ts';
import { describeDevice } from '../../../shared/auth/device.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { hashPassword } from '../../../shared/auth/passwords.ts';
import { isActive, type StoredUser } from '../../../shared/auth/user.ts';
import { tableName } from '../../../shared/db/dynamodb.ts';
import { transact } from '../../../shared/db/transaction.ts';
import type { ClientInfo } from '../../../shared/http/route.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { getSetting, isMailOn } from '../../../shared/runtime/settings.ts';
import { invalidLinkError } from '../users/account/link-token.ts';
import { type Redeemable, readToken } from '../users/account/password-link.ts';
import {
  getSignInPlace,
  preparePlaceCodes,
  recognizePlace,
} from '../users/account/sign-in-places.ts';
import { assertAllowedDomain } from '../users/record/allowed-domains.ts';
import { indexWrites } from '../users/record/user-index.ts';
import * as sessions from './sessions.ts';
import * as auth from './sign-in.ts';

/** The input of a registration. `token` is that of an invitation. */
export interface Registration {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly token?: string | null | undefined;
}

const maxAttempts = 4;

/** Completes the account as read and signs in. Returns `undefined` if the account has changed since. */
const acceptInvitation = async (
  { user, hash, isProof }: Redeemable,
  { name, passwordHash }: { readonly name: string; readonly passwordHash: string },
  client: ClientInfo,
  recorder: ChangeRecorder,
): Promise<auth.SignedIn | undefined> => {
  const updatedAt = new Date().toISOString();
  const { passwordTokenHash: _, passwordTokenExpiresAt: __, ...rest } = user;
  const changed: StoredUser = {
    ...rest,
    name,
    passwordHash,
    updatedAt,
    lastLoginAt: updatedAt,
    version: user.version + 1,
    ...(isProof && { emailVerifiedAt: updatedAt }),
  };
  const session = sessions.create(client)(changed);
  const getCodes = await preparePlaceCodes(getSignInPlace(client));
  const changes = changedFields(user, changed, ['name', 'emailVerifiedAt']);
  const refused = await transact([
    {
      write: {
        Update: {
          TableName: tableName(),
          Key: userKeys.record.at({ id: user.id }),
          UpdateExpression: `SET #name = :name, passwordHash = :passwordHash, updatedAt = :now, lastLoginAt = :now, #version = :next, signInPlaces = :places${isProof ? ', emailVerifiedAt = :now' : ''} REMOVE passwordTokenHash, passwordTokenExpiresAt`,
          // The index entries and the session are those of the account as read.
          ConditionExpression:
            'passwordTokenHash = :hash AND attribute_not_exists(passwordHash) AND attribute_not_exists(hasIdentity) AND #version = :seen AND sessionEpoch = :epoch',
          ExpressionAttributeNames: { '#name': 'name', '#version': 'version' },
          ExpressionAttributeValues: {
            ':name': name,
            ':passwordHash': passwordHash,
            ':now': updatedAt,
            ':next': changed.version,
            ':places': recognizePlace(undefined, getCodes(user.id)).places,
            ':hash': hash,
            ':seen': user.version,
            ':epoch': user.sessionEpoch,
          },
        },
      },
      refused: 'changed',
    },
    sessions.put(session),
    ...indexWrites(user, changed),
    ...recorder.steps({
      subject: `user:${user.id}`,
      actor: user,
      before: changes.before,
      after: {
        ...changes.after,
        password: 'changed',
        link: 'invitation',
        session: session.id,
        ...describeDevice(client),
      },
    }),
  ]);
  return refused ? undefined : { user: changed, session };
};

/** Finds the invited account. It must be active and have the given email address. */
const readInvitation = async (token: string, email: string): Promise<Redeemable> => {
  const found = await readToken(token, ['invitation']);
  if (found.user.email !== email || !isActive(found.user)) throw invalidLinkError();
  return found;
};

const registerInvited = async (
  { email, name, password }: Registration,
  token: string,
  client: ClientInfo,
  recorder: ChangeRecorder,
): Promise<auth.SignedIn> => {
  let found = await readInvitation(token, email);
  const passwordHash = await hashPassword(password);
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const signedIn = await acceptInvitation(found, { name, passwordHash }, client, recorder);
    if (signedIn) return signedIn;
    found = await readInvitation(token, email);
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'The account is being modified. Try again.');
};

/** Says how to get the account of an address that someone else may have registered (decisions.md#proven-addresses). */
const withWayBack = (error: unknown): unknown => {
  const isTaken = error instanceof AppError && error.details.some(({ field }) => field === 'email');
  if (!isTaken || error.code !== 'CONFLICT') return error;
  const way = !isMailOn()
    ? 'if it’s yours, ask an administrator for a password reset link'
    : 'if it’s yours, reset the password to take over the account, which signs out everyone else';
  return new AppError('CONFLICT', `This email address is already registered: ${way}.`, {
    details: [{ field: 'email', message: `is already registered: ${way}` }],
    cause: error,
  });
};

/**
 * Registers a user as the setting REGISTRATION allows, and signs in. With the token of an invitation, the name and password
 * complete the invited account.
 * @throws AppError FORBIDDEN if registration is closed; VALIDATION_ERROR about `token` if it is missing but required, or
 *   not valid for this email address, or about `email` if ALLOWED_DOMAINS lacks its domain; CONFLICT if the email address
 *   is taken, in any case
 */
export const register = async (
  input: Registration,
  client: ClientInfo,
  recorder: ChangeRecorder,
): Promise<auth.SignedIn> => {
  const mode = getSetting('REGISTRATION');
  if (mode === 'closed') throw new AppError('FORBIDDEN', 'Registration is closed.');
  if (input.token != null) return registerInvited(input, input.token, client, recorder);
  if (mode === 'open') {
    assertAllowedDomain(input.email);
    return auth.register(input, client, recorder).catch((error: unknown) => {
      throw withWayBack(error);
    });
  }
  throw new AppError('VALIDATION_ERROR', 'Registration requires an invitation.', {
    details: [{ field: 'token', message: 'is required; registration requires an invitation' }],
  });
};
