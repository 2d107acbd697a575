import { partitionQuery, queryMatches } from '../db/query.ts';
import { withFilter } from '../lists/list-partitions.ts';
import { type AuditEntry, parseAuditEntry } from './audit-log.ts';
import { auditKeys } from './keys.ts';

/** How many entries about a subject are examined. */
const maxExamined = 2_000;

/** Lists the latest entries of an action about a subject, newest first. Strongly consistent. */
export const listEntriesAbout = async (
  subject: string,
  action: string,
  max: number,
): Promise<AuditEntry[]> => {
  const query = withFilter(partitionQuery(auditKeys.bySubject.partition({ subject }), true), {
    equal: { action },
  });
  const { items } = await queryMatches(query, { matches: max, scanned: maxExamined });
  return items.slice(0, max).map(parseAuditEntry);
};
