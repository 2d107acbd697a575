import * as z from 'zod';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { exampleUser } from '../../../../shared/auth/user.ts';
import { getDirectoryFor } from '../../../../shared/users/directory.ts';
import { readUsers } from '../../../../shared/users/person.ts';
import type { StoredShare } from '../record/share.ts';

const { id, name, email } = exampleUser;

/** The people who can open a share, for its owner. */
export const ReaderList = z
  .array(
    z.object({
      id: z.int().positive(),
      name: z.string(),
      email: z
        .string()
        .optional()
        .meta({ description: 'Absent where people aren’t found by name.' }),
      avatar: z.string().nullable(),
    }),
  )
  .meta({ id: 'ShareReaders', examples: [[{ id, name, email, avatar: null }]] });

/** Reads the people whom a share names, without removed ones. `undefined` for a share that names none. Takes up to one trip. */
export const readReaderList = async (
  { permissions }: Actor,
  { audience, readers = [] }: StoredShare,
): Promise<z.output<typeof ReaderList> | undefined> => {
  if (audience !== 'people') return undefined;
  const users = await readUsers(readers);
  const isEmailShown = getDirectoryFor(permissions) === 'members';
  return readers.flatMap((readerId) => {
    const user = users.get(readerId);
    if (!user) return [];
    const { id, name, email, avatar = null } = user;
    return [{ id, name, ...(isEmailShown && { email }), avatar }];
  });
};
