import { partitionQuery, queryMatches, readFilteredSlice } from '../db/query.ts';
import { withFilter } from '../lists/list-partitions.ts';
import { getSetting } from '../runtime/settings.ts';
import { type AuditEntry, parseAuditEntry } from './audit-log.ts';
import { auditKeys } from './keys.ts';

/** How many entries about a subject are examined. */
const maxExamined = 2_000;

const queryAbout = (subject: string) =>
  partitionQuery(auditKeys.bySubject.partition({ subject }), true);

/** Lists the latest entries of an action about a subject, newest first. Strongly consistent. */
export const listEntriesAbout = async (
  subject: string,
  action: string,
  max: number,
): Promise<AuditEntry[]> => {
  const query = withFilter(queryAbout(subject), { equal: { action } });
  const { items } = await queryMatches(query, { matches: max, scanned: maxExamined });
  return items.slice(0, max).map(parseAuditEntry);
};

/**
 * Lists the latest entries of several actions about a subject, newest first, of those that AUDIT_KEEP keeps. Examines up to
 * `examined` entries, a few first: most entries about such a subject are expected to match. Strongly consistent.
 */
export const listRecentAbout = async (
  subject: string,
  actions: readonly string[],
  { max, examined }: { readonly max: number; readonly examined: number },
): Promise<AuditEntry[]> => {
  const { ExpressionAttributeNames, ExpressionAttributeValues, ...query } = queryAbout(subject);
  const named = actions.map((action, at) => [`:action${at}`, action] as const);
  const { items } = await readFilteredSlice(
    {
      ...query,
      FilterExpression: `#action IN (${named.map(([name]) => name).join(', ')})`,
      ExpressionAttributeNames: { ...ExpressionAttributeNames, '#action': 'action' },
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ...Object.fromEntries(named) },
    },
    max,
    undefined,
    examined,
  );
  const oldest = Date.now() - getSetting('AUDIT_KEEP');
  // Expired items are deleted late.
  return items.map(parseAuditEntry).filter(({ at }) => Date.parse(at) > oldest);
};
