import { keyFamily } from '../../../../shared/db/key.ts';

export const accountKeys = {
  /** Unique email address; a former one is held for 72 hours. */
  email: keyFamily('EMAIL#{email:lower}', 'EMAIL'),
  /** Unique username. */
  username: keyFamily('USERNAME#{username:lower}', 'USERNAME'),
  /** All users by creation. */
  byId: keyFamily('USERS', '{id:id}'),
  /** All users by name. */
  byName: keyFamily('USERS#NAME', '{sortName:any}#{id:id}'),
  /** Users of a role and status; of all custom roles also under `anyCustomRole`. */
  byRoleAndStatus: keyFamily('USERS#ROLE#{role}#STATUS#{status}', '{id:id}'),
  /** When accounts are deleted whose owners are leaving. */
  leaving: keyFamily('USERS#LEAVING#{id:shard of 8}', '{at}#{id:id}'),
  /** Users by search word. */
  byWord: keyFamily('USERS#WORD#{word:first}', '{word:any}#{id:id}'),
  /** Number of active super_admins. */
  superAdmins: keyFamily('SUPER_ADMINS', 'COUNT'),
  /** Link that undoes an email change, by the SHA-256 of its token. */
  emailUndo: keyFamily('USER#{userId:int}', 'EMAIL-UNDO#{hash}'),
  /** The newest code that signs a user in. */
  signInCode: keyFamily('USER#{userId:int}', 'SIGN-IN-CODE'),
  /** Who receives what a deleted user owned. */
  transfer: keyFamily('TRANSFER#{userId:int}', 'TRANSFER'),
} as const;
