import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import { readRolesFor } from '../../../shared/auth/custom-roles.ts';
import { describeDevice } from '../../../shared/auth/device.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import type { ClientInfo } from '../../../shared/http/route.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import {
  getSignInPlace,
  preparePlaceCodes,
  recognizePlace,
} from '../users/account/sign-in-places.ts';
import { getNewUserPermissions } from '../users/grants.ts';
import { Name } from '../users/input.ts';
import { isAllowedDomain } from '../users/record/allowed-domains.ts';
import * as users from '../users/record/users.ts';
import { storeWrite } from './factors/change-factors.ts';
import { findClaimedRole } from './identities/claimed-role.ts';
import type { AnswerUse, Identity } from './identities/identity.ts';
import { type KnownIdentity, lookupWrite, toStoredIdentity } from './identities/store.ts';
import * as sessions from './sessions.ts';
import type { SignedIn } from './sign-in.ts';

/** Returns whether someone with a proven address may have an account by signing in. */
export const canRegister = (email: string): boolean =>
  getSetting('REGISTRATION') === 'open' && isAllowedDomain(email);

/** Returns the name that the provider says, or else what the address begins with. */
const getName = ({ name }: Identity, email: string): string => {
  const parsed = Name.safeParse(name);
  if (parsed.success) return parsed.data;
  const local = email.slice(0, email.lastIndexOf('@'));
  return Name.safeParse(local).data ?? email.slice(0, 100);
};

const concurrent = () => new AppError('CONFLICT', 'Someone has just registered.');

/**
 * Creates an account without a password for someone whose address the provider has proven, connects the identity and signs in,
 * in one transaction. Returns `undefined` if the address or the identity was taken concurrently.
 */
export const registerByIdentity = async (
  identity: Identity,
  email: string,
  known: KnownIdentity,
  use: AnswerUse,
  client: ClientInfo,
  recorder: ChangeRecorder,
): Promise<SignedIn | undefined> => {
  const role = (await findClaimedRole(identity)) ?? 'user';
  const now = new Date().toISOString();
  const getCodes = await preparePlaceCodes(getSignInPlace(client));
  const toSession = sessions.create(client);
  const first = { epoch: 1, version: 1 };
  const toFactors = (userId: number) => ({
    ...{ ...first, userId },
    identities: { [known.hash]: toStoredIdentity(identity, now) },
  });
  const fields: users.NewUser = {
    email,
    name: getName(identity, email),
    role,
    extraPermissions: getNewUserPermissions(role, await readRolesFor([role])),
    emailVerifiedAt: now,
    lastLoginAt: now,
    hasIdentity: true,
    factorEpoch: first.epoch,
  };
  const alongside = (account: StoredUser) => [
    use,
    sessions.put(toSession(account)),
    storeWrite({ ...toFactors(account.id), version: 0 }, toFactors(account.id)),
    { write: lookupWrite(known, account.id), refused: concurrent },
  ];
  const { method, provider } = { method: 'provider', provider: identity.provider.name };
  try {
    const user = await users.create(
      fields,
      recorder,
      alongside,
      (id) => recognizePlace(undefined, getCodes(id)).places,
      { action: 'user.register', after: { method, provider, ...describeDevice(client) } },
    );
    return { user, session: toSession(user) };
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return undefined;
    throw error;
  }
};
