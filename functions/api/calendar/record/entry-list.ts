import { keys } from '../../../../shared/db/table.ts';
import { type ListQuery, queryMatches } from '../../../../shared/lists/pagination.ts';
import type { SortableTime } from '../recurrence/recurrence.ts';
import { forever, type Place, type Row, rows, toKeyPart } from './index-entries.ts';

/** As many recurring events of a user's as one look at the calendar takes into account. */
const maxSeries = 500;
/** What is read at most of a row, with what began before a window and doesn't reach into it. */
const maxScanned = 10_000;

/** No event is older or later (see schedule.ts); further years would not sort as keys. */
const [earliest, latest] = [Date.UTC(1890, 0), Date.UTC(2210, 0)];

const clamp = (tick: SortableTime): SortableTime => Math.min(latest, Math.max(earliest, tick));

const ofRow = (userId: number, row: Row, from: SortableTime, to: SortableTime): ListQuery => {
  const low = keys.singleEvent(userId, row, toKeyPart(clamp(from - rows[row])), 0);
  const high = keys.singleEvent(userId, row, toKeyPart(clamp(to)), 0);
  return {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
    FilterExpression: '#over >= :from',
    ExpressionAttributeNames: { '#over': 'over' },
    ExpressionAttributeValues: { ':pk': low.pk, ':low': low.sk, ':high': high.sk, ':from': from },
    ConsistentRead: true,
  };
};

const ofSeries = (userId: number, from: SortableTime, to: SortableTime): ListQuery => {
  const low = keys.recurringEvent(userId, toKeyPart(clamp(from)), 0);
  const high = keys.recurringEvent(userId, `${forever}~`, 0);
  return {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
    FilterExpression: '#first < :to',
    ExpressionAttributeNames: { '#first': 'first' },
    ExpressionAttributeValues: { ':pk': low.pk, ':low': low.sk, ':high': high.sk, ':to': to },
    ConsistentRead: true,
  };
};

/**
 * The ids of the events that may have something in a range of ticks: of what happens once the earliest `count`, and what
 * recurs. Says whether these are all, and which users they name, as far as that is known of each by its place. It reads nothing of what was over before the range, beyond what began shortly before.
 */
export const readPlaces = async (
  userId: number,
  from: SortableTime,
  to: SortableTime,
  count: number,
): Promise<{
  readonly ids: readonly number[];
  readonly userIds: readonly number[];
  readonly isWhole: boolean;
}> => {
  const bound = { matches: count, scanned: maxScanned };
  const names = Object.keys(rows) as Row[];
  const [series, ...once] = await Promise.all([
    queryMatches(ofSeries(userId, from, to), { matches: maxSeries + 1, scanned: maxScanned }),
    ...names.map((row) => queryMatches(ofRow(userId, row, from, to), bound)),
  ]);
  const startOf = ({ sk }: Place) => sk.slice(sk.indexOf('#') + 1);
  const places = once
    .flatMap(({ items }) => items as unknown as Place[])
    .sort((a, b) => (startOf(a) < startOf(b) ? -1 : 1));
  const ofRules = series.items as unknown as Place[];
  const shown = [...places.slice(0, count), ...ofRules.slice(0, maxSeries)];
  return {
    ids: [...new Set(shown.map(({ id }) => id))],
    userIds: shown.flatMap(({ ownerId, attendeeIds = [] }) =>
      ownerId === userId ? attendeeIds : [ownerId, userId],
    ),
    isWhole:
      once.every(({ isWhole }) => isWhole) &&
      places.length <= count &&
      series.isWhole &&
      series.items.length <= maxSeries,
  };
};
