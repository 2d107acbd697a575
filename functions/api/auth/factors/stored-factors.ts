import { userKeys } from '../../../../shared/auth/keys.ts';
import type { FactorMethod, ProofMethod } from '../../../../shared/auth/second-factors.ts';
import { parseUser, type StoredUser } from '../../../../shared/auth/user.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { itemParser } from '../../../../shared/db/item-parser.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';

/** An authenticator app as stored. */
export interface StoredTotp {
  /** The key that the app has, too, in Base32. */
  readonly secret: string;
  readonly createdAt: string;
  /** The last time step (30 s, since 1970) whose code was used: none of it or before is taken again (RFC 6238, 5.2). */
  readonly lastStep: number;
}

/** An authenticator app whose code is still to be entered. */
export interface PendingTotp {
  readonly secret: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** A passkey as stored, under the hash of its credential id. */
export interface StoredPasskey {
  /** The id that the authenticator gave it (Base64url). */
  readonly credentialId: string;
  /** COSE, Base64url. */
  readonly publicKey: string;
  /** How often it has signed, as it says itself; 0 if it doesn't count. */
  readonly counter: number;
  readonly transports?: readonly string[];
  /** Whether it is kept on several devices. */
  readonly isSynced: boolean;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt?: string;
}

/** The recovery codes as stored. */
export interface StoredCodes {
  readonly createdAt: string;
  /** Of their hashes (Base64url). */
  readonly salt: string;
  /** Those that are left, by their hash (Base64url). */
  readonly unused: Readonly<Record<string, true>>;
}

/** An account at a provider as stored, under the hash of its issuer and subject. */
export interface StoredIdentity {
  /** The issuer, which stays the same when the provider is renamed. */
  readonly issuer: string;
  /** The address that the issuer knew at the last sign-in. Absent if it said none. */
  readonly email?: string;
  readonly createdAt: string;
  readonly lastUsedAt?: string;
}

/** The second factors of a user and the connected accounts as stored, without keys. */
export interface StoredFactors {
  readonly userId: number;
  /** That of the user: it advances with each change. */
  readonly epoch: number;
  /** Advances with each write, also with the use of a factor or a code. */
  readonly version: number;
  readonly totp?: StoredTotp;
  readonly pendingTotp?: PendingTotp;
  readonly passkeys?: Readonly<Record<string, StoredPasskey>>;
  readonly codes?: StoredCodes;
  /** Connected accounts, at most one of an issuer. They are no second factors, but change with the same epoch. */
  readonly identities?: Readonly<Record<string, StoredIdentity>>;
}

/** Parses stored second factors. */
export const parseFactors = itemParser<StoredFactors>('record of second factors', [
  'userId',
  'epoch',
  'version',
]);

/** Returns which kinds of second factors there are. */
export const getMethods = ({
  totp,
  passkeys,
}: Pick<StoredFactors, 'totp' | 'passkeys'>): FactorMethod[] => [
  ...(totp ? ['totp' as const] : []),
  ...(Object.keys(passkeys ?? {}).length > 0 ? ['passkey' as const] : []),
];

/** Returns what a second factor can be proven by. */
export const getProofMethods = (factors: StoredFactors): ProofMethod[] => [
  ...getMethods(factors),
  ...(Object.keys(factors.codes?.unused ?? {}).length > 0 ? ['recovery' as const] : []),
];

/** A user with the second factors, both as stored at one time. */
export interface WithFactors {
  readonly user: StoredUser;
  readonly factors: StoredFactors;
}

/** Reads a user and the second factors in one strongly consistent round trip; `undefined` without the user. */
export const findWithFactors = async (userId: number): Promise<WithFactors | undefined> => {
  const [userItem, item] = await batchGet([
    userKeys.record.at({ id: userId }),
    userKeys.factors.at({ userId }),
  ]);
  const user = parseUser(userItem);
  if (!user) return undefined;
  return {
    user,
    factors: parseFactors(item) ?? { userId, epoch: user.factorEpoch ?? 0, version: 0 },
  };
};

/**
 * Reads a user and the second factors as `findWithFactors` does.
 * @throws AppError NOT_FOUND
 */
export const getWithFactors = async (userId: number): Promise<WithFactors> => {
  const found = await findWithFactors(userId);
  if (!found) throw new AppError('NOT_FOUND', 'User not found.');
  return found;
};
