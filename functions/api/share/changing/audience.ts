import type { Actor } from '../../../../shared/auth/actor.ts';
import { userKeys } from '../../../../shared/auth/keys.ts';
import { isActive, parseUser } from '../../../../shared/auth/user.ts';
import { mustVerify } from '../../../../shared/auth/verification.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { type Audience, getNarrowest, isWider } from '../../../../shared/permissions/audiences.ts';
import { invalidField, refusedField } from '../../../../shared/runtime/errors.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { areMembersKnown, limitAudience } from '../../../../shared/users/audience.ts';
import { getDirectoryFor } from '../../../../shared/users/directory.ts';
import { accountKeys } from '../../users/record/keys.ts';
import { createAudienceId, getAudience } from '../record/audience.ts';
import type { AskedOptions } from '../record/options.ts';
import type { StoredShare } from '../record/share.ts';

/** Who shall open a share: absent stays as it is, null is the default. */
export type AskedAudience = Pick<AskedOptions, 'audience' | 'readers'>;

/** Who can open a share, as stored. */
type StoredAudience = Pick<StoredShare, 'audience' | 'readers' | 'audienceId'>;

const pluralOf: Readonly<Record<Audience, string>> = {
  private: 'shares that only their owner can open',
  people: 'shares for people that their owner chooses',
  members: 'shares for signed-in members',
  link: 'any share',
};

/**
 * Asserts that the settings of the service allow an audience that was asked for.
 * @throws AppError UNPROCESSABLE about this field
 */
export const assertAllowed = (audience: Audience, field: string): void => {
  const max = getSetting('MAX_AUDIENCE');
  if (isWider(audience, max)) {
    throw refusedField(
      field,
      `exceeds MAX_AUDIENCE of this service, which allows ${pluralOf[max]}`,
    );
  }
  if (audience === 'members' && !areMembersKnown()) {
    throw refusedField(
      field,
      'must not be members while anyone can register here; choose people, or anyone with the link',
    );
  }
};

/** Returns who can open a share whose author doesn’t say. */
const getDefault = ({ token }: Pick<Actor, 'token'>): Audience =>
  limitAudience(getNarrowest(getSetting('DEFAULT_AUDIENCE'), token?.ceiling?.maxAudience));

/**
 * Chooses who can open a share. Naming readers asks for `people`.
 * @throws AppError VALIDATION_ERROR for readers with another audience, or `people` without any; UNPROCESSABLE for what the
 *   settings don’t allow
 */
export const chooseAudience = (
  actor: Pick<Actor, 'token'>,
  { audience: asked, readers }: AskedAudience,
  before?: StoredShare,
): Audience => {
  const namesSome = readers != null && readers.length > 0;
  const implied = namesSome ? 'people' : undefined;
  const chosen = asked ?? implied;
  if (chosen == null)
    return before && asked === undefined ? getAudience(before) : getDefault(actor);
  if (namesSome && chosen !== 'people') {
    throw invalidField('readers', 'can only be combined with the audience people');
  }
  assertAllowed(chosen, asked == null ? 'readers' : 'audience');
  if (asked === 'people' && !namesSome && (readers != null || !before?.readers?.length)) {
    throw invalidField('readers', 'must name at least one person with the audience people');
  }
  return chosen;
};

/** A share that sites can embed, if any. */
type Embeddable = Pick<AskedOptions, 'embedOrigins'>;

const isEmbeddable = ({ embedOrigins }: Embeddable): boolean =>
  embedOrigins != null && embedOrigins.length > 0;

/**
 * Asserts that the settings allow sites to embed the share, if it is asked for: anyone sees what a site embeds.
 * @throws AppError UNPROCESSABLE
 */
export const assertEmbeddable = (asked: Embeddable): void => {
  if (isEmbeddable(asked)) assertAllowed('link', 'embedOrigins');
};

/** Returns who could open a share at most: embedding counts as anyone with the link. */
export const getWidest = (audience: Audience, share: Embeddable): Audience =>
  isEmbeddable(share) ? 'link' : audience;

/** Finds the users of email addresses in the same order; reserved addresses have none. */
const findByAddresses = async (addresses: readonly string[]): Promise<(number | undefined)[]> => {
  const markers = await batchGet(addresses.map((email) => accountKeys.email.at({ email })));
  return markers.map((marker) => marker?.['userId'] as number | undefined);
};

/** @throws AppError VALIDATION_ERROR for an address where nobody is found by theirs */
const assertFindable = (
  { permissions }: Pick<Actor, 'permissions'>,
  addresses: readonly string[],
): void => {
  if (addresses.length > 0 && getDirectoryFor(permissions) === 'off') {
    throw invalidField('readers', 'must be ids: finding people by address is off in this service');
  }
};

/**
 * Returns the ids of users that are named by id or email address, without the owner and in the order they are named. An
 * address names whom the directory would find by it.
 * @throws AppError VALIDATION_ERROR that names those who aren’t users
 */
const findReaders = async (
  actor: Pick<Actor, 'permissions'>,
  ownerId: number,
  named: readonly (number | string)[],
): Promise<number[]> => {
  const addresses = named.filter((one) => typeof one === 'string');
  assertFindable(actor, addresses);
  const found = await findByAddresses(addresses);
  const byAddress = new Map(addresses.map((address, at) => [address, found[at]]));
  const toId = (one: number | string) => (typeof one === 'number' ? one : byAddress.get(one));
  const ids = [...new Set(named.flatMap((one) => toId(one) ?? []))];
  const records = await batchGet(ids.map((id) => userKeys.record.at({ id })));
  const users = new Map(ids.map((id, at) => [id, parseUser(records[at])]));
  const isUser = (one: number | string): boolean => {
    const id = toId(one);
    const user = id === undefined ? undefined : users.get(id);
    if (!user) return false;
    return typeof one === 'number' || (isActive(user) && !mustVerify(user));
  };
  const unknown = named.filter((one) => !isUser(one));
  if (unknown.length > 0) {
    throw invalidField('readers', `contains unknown users: ${unknown.join(', ')}`);
  }
  return ids.filter((id) => id !== ownerId);
};

const haveSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((id) => other.includes(id));

/**
 * Returns what to store of who can open a share, as `chooseAudience` chose it; `before` is the share until now. Readers of one
 * that isn’t for people any more are dropped.
 * @throws AppError VALIDATION_ERROR about `readers`
 */
export const toStoredAudience = async (
  actor: Pick<Actor, 'permissions'>,
  ownerId: number,
  { audience: asked, readers }: AskedAudience,
  chosen: Audience,
  before?: StoredShare,
): Promise<StoredAudience> => {
  if (before && asked === undefined && readers === undefined) return before;
  if (chosen === 'link') return {};
  const isForPeople = chosen === 'people';
  const known = before?.readers ?? [];
  const next =
    isForPeople && readers !== undefined
      ? await findReaders(actor, ownerId, readers ?? [])
      : known.filter(() => isForPeople);
  const isSame = before?.audience === chosen && haveSame(next, known);
  return {
    audience: chosen,
    ...(next.length > 0 && { readers: isSame ? known : next }),
    audienceId: (isSame ? before.audienceId : undefined) ?? createAudienceId(),
  };
};
