import { createHash } from 'node:crypto';
import { userKeys } from '../../../../shared/auth/keys.ts';
import type { StoredUser } from '../../../../shared/auth/user.ts';
import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import { createRandomId } from '../../../../shared/db/ids.ts';
import { itemParser } from '../../../../shared/db/item-parser.ts';
import type { Step, Write } from '../../../../shared/db/transaction.ts';
import { nextVersion } from '../../../../shared/db/versioned-record.ts';
import { updateUserWrite } from '../../users/record/user-writes.ts';
import { storeWrite } from '../factors/change-factors.ts';
import { useWrite } from '../factors/prove.ts';
import {
  findWithFactors,
  type StoredFactors,
  type StoredIdentity,
  type WithFactors,
} from '../factors/stored-factors.ts';
import type { Identity } from './identity.ts';

/** Who has an identity, as stored. It counts only if the user's own record has the identity, too. */
interface StoredLookup {
  readonly userId: number;
  /** Another one with each write, so that of two that replace a left-over one succeeds. */
  readonly writeId: string;
}

const parseLookup = itemParser<StoredLookup>('owner of an identity', ['userId', 'writeId']);

/** Returns what identities are stored under: names of providers can change, and subjects are of one issuer. */
export const toIdentityHash = ({
  provider,
  subject,
}: Pick<Identity, 'provider' | 'subject'>): string =>
  createHash('sha256').update(`${provider.issuer}\n${subject}`).digest('base64url');

/** An identity as the table knows it. */
export interface KnownIdentity {
  readonly hash: string;
  readonly lookup: StoredLookup | undefined;
  /** Who is signed in by it. */
  readonly owner: WithFactors | undefined;
}

/** Finds who has connected an identity, with strongly consistent reads. */
export const findOwner = async (identity: Identity): Promise<KnownIdentity> => {
  const hash = toIdentityHash(identity);
  const [item] = await batchGet([userKeys.identity.at({ hash })]);
  const lookup = parseLookup(item);
  const found = lookup && (await findWithFactors(lookup.userId));
  return { hash, lookup, owner: found?.factors.identities?.[hash] ? found : undefined };
};

/** Creates the write that says who has an identity, if nobody else has got it since it was read. */
export const lookupWrite = ({ hash, lookup }: KnownIdentity, userId: number): Write => ({
  Put: {
    TableName: tableName(),
    Item: { userId, writeId: createRandomId(), ...userKeys.identity.at({ hash }) },
    ...(lookup
      ? {
          ConditionExpression: 'attribute_not_exists(pk) OR writeId = :seen',
          ExpressionAttributeValues: { ':seen': lookup.writeId },
        }
      : { ConditionExpression: 'attribute_not_exists(pk)' }),
  },
});

/** Returns a new identity as it is stored. */
export const toStoredIdentity = ({ provider, email }: Identity, now: string): StoredIdentity => ({
  issuer: provider.issuer,
  ...(email !== undefined && { email }),
  createdAt: now,
  lastUsedAt: now,
});

/** Finds a user's identity at an issuer. */
export const findAt = (
  { identities = {} }: Pick<StoredFactors, 'identities'>,
  issuer: string,
): (StoredIdentity & { readonly hash: string }) | undefined => {
  const [hash, stored] =
    Object.entries(identities).find(([, identity]) => identity.issuer === issuer) ?? [];
  return hash !== undefined && stored ? { ...stored, hash } : undefined;
};

/** Creates the step that records that an identity has signed in, if it is still connected. */
export const useStep = (
  factors: StoredFactors,
  hash: string,
  { email }: Identity,
): Step<'changed'> =>
  useWrite(factors, {
    sets: [
      'identities.#id.lastUsedAt = :now',
      ...(email === undefined ? [] : ['identities.#id.email = :email']),
    ],
    condition: 'attribute_exists(identities.#id)',
    names: { '#id': hash },
    values: { ':now': new Date().toISOString(), ...(email !== undefined && { ':email': email }) },
  });

/** What connecting an identity makes of an account. */
export interface Connected {
  readonly user: StoredUser;
  /** They are refused if the account or its factors have changed, or someone else has got the identity. */
  readonly steps: readonly (Write | Step<'changed'>)[];
}

/**
 * Creates the writes that connect an identity with an account as read. The epoch of the factors advances, as with each change of
 * them. `fields` are those that change with it, `kept` the factors that stay.
 */
export const connectSteps = (
  { user, factors }: WithFactors,
  known: KnownIdentity,
  identity: Identity,
  fields: { readonly [F in keyof StoredUser]?: StoredUser[F] | undefined } = {},
  kept: Omit<StoredFactors, 'userId' | 'epoch' | 'version'> = factors,
): Connected => {
  const epoch = Math.max(factors.epoch, user.factorEpoch ?? 0) + 1;
  const changed = nextVersion(user, { ...fields, hasIdentity: true, factorEpoch: epoch });
  const stored = toStoredIdentity(identity, changed.updatedAt);
  return {
    user: changed,
    steps: [
      { write: updateUserWrite(user, changed), refused: 'changed' },
      {
        write: storeWrite(factors, {
          ...kept,
          userId: user.id,
          epoch,
          version: factors.version + 1,
          identities: { ...kept.identities, [known.hash]: stored },
        }),
        refused: 'changed',
      },
      { write: lookupWrite(known, user.id), refused: 'changed' },
    ],
  };
};
