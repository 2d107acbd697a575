import type { Person } from '../users/test-users.ts';

/** The users besides the owner whom shares name. */
export const readers = ['bob', 'eve'] as const;
export type Reader = (typeof readers)[number];

/** Who asks for a share. */
export const askers = ['owner', ...readers, 'moderator', 'nobody'] as const;
export type Asker = (typeof askers)[number];

/** Who can open a share besides its owner: an audience, or the names of those whom it is for. */
export const openings = ['link', 'members', 'private', 'bob', 'eve', 'bob eve'] as const;
export type OpensTo = (typeof openings)[number];

/** What the model of shares knows of who can open one. */
interface Opened {
  readonly opensTo: OpensTo;
}

const namesOf = (opensTo: OpensTo): readonly Reader[] =>
  readers.filter((reader) => opensTo.split(' ').includes(reader));

/** Whether anyone with the address can open a share. */
export const isOpenToAll = ({ opensTo }: Opened): boolean => opensTo === 'link';

/** Whether a share names a user as a reader, or is for all members. */
export const isListedFor = ({ opensTo }: Opened, reader: Reader): boolean =>
  opensTo === 'members' || namesOf(opensTo).includes(reader);

/**
 * Returns the status by which a share is refused to those whom it isn't for; `undefined` if they may open it, as far as its
 * password and limits let them. By a name, the signed out learn nothing.
 */
export const refusal = (
  share: Opened | undefined,
  asker: Asker,
  isNamed = false,
): 401 | 404 | undefined => {
  if (!share) return 404;
  if (isOpenToAll(share) || asker === 'owner') return undefined;
  if (asker === 'nobody') return isNamed ? 404 : 401;
  const isOneOf = asker !== 'moderator' && namesOf(share.opensTo).includes(asker);
  return isOneOf || share.opensTo === 'members' ? undefined : 404;
};

/** Returns the fields of a request that open a share to these. */
export const toRequest = (
  opensTo: OpensTo,
  people: Readonly<Record<Reader, Pick<Person, 'id'>>>,
): object => {
  const named = namesOf(opensTo);
  return named.length > 0
    ? { readers: named.map((name) => people[name].id) }
    : { audience: opensTo };
};
