import { keyFamily } from '../db/key.ts';

export const exportKeys = {
  /** Export of a user. */
  record: keyFamily('USER#{userId:int}', 'EXPORT#{id:id}'),
  /** Number of changes of a user's exports, and when the own data was last asked for. */
  changes: keyFamily('USER#{userId:int}', 'EXPORTS'),
  /** Exports that wait, and those that run, by when the function is called for them. */
  due: keyFamily('EXPORTS#DUE', '{at}#{userId:id}#{id:id}'),
} as const;
