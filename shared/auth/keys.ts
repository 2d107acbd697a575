import { keyFamily } from '../db/key.ts';

export const userKeys = {
  /** User. */
  record: keyFamily('USER#{id:int}', 'USER'),
  /** Session. */
  session: keyFamily('USER#{userId:int}', 'SESSION#{id}'),
  /** API token, by its SHA-256. */
  apiToken: keyFamily('USER#{userId:int}', 'TOKEN#{hash}'),
  /** Users with a permission by their role or in addition to it. */
  byPermission: keyFamily('USERS#PERMISSION#{permission}', '{id:id}'),
} as const;
