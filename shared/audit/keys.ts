import { indexFamily, keyFamily } from '../db/key.ts';

export const auditKeys = {
  /** Audit entry, by month. */
  entry: keyFamily('AUDIT#{at:month}', '{at}#{id}'),
  /** Again, by subject. */
  bySubject: keyFamily('AUDIT#SUBJECT#{subject:any}', '{at}#{id}'),
  /** Entries by actor. */
  byActor: indexFamily('AUDIT#ACTOR#{actorId:int}', '{at}#{id}'),
} as const;
