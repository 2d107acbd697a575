import { indexFamily, keyFamily } from '../db/key.ts';

/**
 * Every change of the service writes an entry: two write units in a transaction, four above 1 KB. So one partition takes 250
 * changes a second, and 16 take 4,000.
 */
const shards = 16;

export const auditKeys = {
  /** Audit entry, in one of 16 shards. */
  entry: keyFamily(`AUDIT#{id:shard of ${shards}}`, '{at}#{id}'),
  /** Again, by subject. */
  bySubject: keyFamily('AUDIT#SUBJECT#{subject:any}', '{at}#{id}'),
  /** Entries by actor. */
  byActor: indexFamily('AUDIT#ACTOR#{actorId:int}', '{at}#{id}'),
} as const;
