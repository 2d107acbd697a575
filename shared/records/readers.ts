import * as z from 'zod';
import { idField } from '../db/ids.ts';
import { Sender } from '../notifications/notification.ts';
import { invalidField } from '../runtime/errors.ts';
import { findExistingUsers } from '../users/person.ts';

/**
 * Each reader takes two items of a transaction, which is limited to 100, and the words of two titles or names take
 * more.
 */
export const maxReaders = 20;

/** Body of sharing with users, and of unsharing. */
export const Readers = z
  .object({
    userIds: z
      .array(idField('a user'))
      .min(1, 'must contain at least one user')
      .max(maxReaders, `must contain at most ${maxReaders} users`),
  })
  .meta({ id: 'ShareWithInput', examples: [{ userIds: [244_212_480_004_096] }] });

/** A user with whom a record is shared. */
export const Reader = z.object({
  id: z.int().positive(),
  name: z.string(),
  avatar: z.string().nullable(),
});

/** What readers may do. */
export const readerRoles = ['reader', 'editor'] as const;
export type ReaderRole = (typeof readerRoles)[number];

/** Body of sharing with users in a role. */
export const ReadersWithRole = Readers.extend({
  role: z
    .enum(readerRoles, `must be one of ${readerRoles.join(', ')}`)
    .nullish()
    .transform((role) => role ?? undefined)
    .meta({
      description:
        '`editor` also lets them change title and content. Without it, new ones are readers and others keep their role.',
    }),
}).meta({
  id: 'ShareWithRoleInput',
  examples: [{ userIds: [244_212_480_004_096], role: 'editor' }],
});

/** A record was shared with users at a time (ISO 8601). */
export const Sharing = z.object({
  id: z.int(),
  userIds: z.array(z.int()),
  sharedBy: Sender,
  sharedAt: z.iso.datetime(),
});
export type Sharing = z.output<typeof Sharing>;

/**
 * Returns the users to add as readers: without duplicates, the owner and existing readers. All of them exist.
 * @throws AppError VALIDATION_ERROR about `userIds`
 */
export const addReaders = async (
  ownerId: number,
  sharedWith: readonly number[],
  userIds: readonly number[],
): Promise<number[]> => {
  const added = [...new Set(userIds)].filter(
    (userId) => userId !== ownerId && !sharedWith.includes(userId),
  );
  if (added.length === 0) return [];
  if (sharedWith.length + added.length > maxReaders) {
    throw invalidField('userIds', `cannot be shared with more than ${maxReaders} users`);
  }
  const there = await findExistingUsers(added);
  const missing = added.find((userId) => !there.includes(userId));
  if (missing !== undefined) throw invalidField('userIds', `contains unknown users: ${missing}`);
  return added;
};
