import { can } from '../permissions/permissions.ts';
import { getSetting, type Setting } from '../runtime/settings.ts';

/** How users find each other: by name and address, by a whole address, or not at all. */
export type DirectoryMode = NonNullable<Setting<'DIRECTORY'>>;

/** Returns the setting DIRECTORY. By default, where anyone can register, names are found by nobody. */
export const getDirectory = (): DirectoryMode =>
  getSetting('DIRECTORY') ?? (getSetting('REGISTRATION') === 'open' ? 'exact' : 'members');

/** Returns how a user with these permissions finds others: holders of `users:view` may see all users anyway. */
export const getDirectoryFor = (permissions: readonly string[]): DirectoryMode =>
  can(permissions, 'users:view') ? 'members' : getDirectory();
