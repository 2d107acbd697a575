import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { conditionalPut, conditionalUpdate } from '../../../shared/db/conditional-write.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { type Key, keys } from '../../../shared/db/table.ts';
import { type ActivityEvent, getDay } from './activity-event.ts';

/** Longer than a message lives in the queue: afterwards a visitor of that day would count as another one. */
const keptSeconds = 5 * 86_400;

const maxTries = 8;

const halfHoursOfDay = 48;
const halfHourMs = 1_800_000;
const never = '0'.repeat(halfHoursOfDay);

/** The half hour of its day in which it happened: ten minutes lie in one. */
const getSlot = ({ data: { at } }: ActivityEvent): number =>
  Math.floor((Date.parse(at) - Date.parse(at.slice(0, 10))) / halfHourMs);

/** A visit is a row of half hours: whoever is away for a whole one begins another. */
const visitsIn = (halfHours: string): number => halfHours.match(/1+/g)?.length ?? 0;

/** That a visitor is active in another half hour: it is counted along with the one happening that brought it about. */
export interface NewSlot {
  readonly bringer: ActivityEvent;
  /** A half hour between two rows of others makes one of them. */
  readonly visits: -1 | 0 | 1;
  readonly isFirst: boolean;
}

/** A visitor as the table keeps it: a `1` for each half hour of activity, and which happening brought it about. */
type StoredVisitor = Readonly<Record<string, unknown>>;

/** The attribute that says by which happening a visitor is active in a half hour, and how many visits that adds. */
const bringerAt = (place: number): string => `by${place}`;

/** The visitor's arrival in this half hour as it was written down, if one of these brought it about. */
const arrivalIn = (
  stored: StoredVisitor,
  place: number,
  own: readonly ActivityEvent[],
): NewSlot | undefined => {
  const [name, visits] = String(stored[bringerAt(place)] ?? '').split(' ');
  const bringer = own.find((one) => one.name === name);
  if (!bringer) return undefined;
  return {
    bringer,
    visits: Number(visits) as NewSlot['visits'],
    isFirst: stored['firstEvent'] === name,
  };
};

const markedAt = (halfHours: string, place: number): string =>
  `${halfHours.slice(0, place)}1${halfHours.slice(place + 1)}`;

const writeFirst = async (key: Key, place: number, bringer: ActivityEvent) => {
  const dayEnd = Date.parse(getDay(bringer)) + 86_400_000;
  const Item = {
    ...key,
    halfHours: markedAt(never, place),
    [bringerAt(place)]: `${bringer.name} 1`,
    firstEvent: bringer.name,
    ttl: Math.ceil(Math.max(dayEnd, Date.now()) / 1_000) + keptSeconds,
  };
  const { written, item } = await conditionalPut({
    Item,
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  return written ? Item : item;
};

const writeAnother = async (key: Key, before: string, place: number, { name }: ActivityEvent) => {
  const after = markedAt(before, place);
  const { item } = await conditionalUpdate({
    Key: key,
    UpdateExpression: 'SET halfHours = :after, #bringer = :bringer',
    ConditionExpression: 'halfHours = :before',
    ExpressionAttributeNames: { '#bringer': bringerAt(place) },
    ExpressionAttributeValues: {
      ':after': after,
      ':before': before,
      ':bringer': `${name} ${visitsIn(after) - visitsIn(before)}`,
    },
  });
  return item;
};

/** What is known of a visitor. Half a unit tells it, as of a moment ago: what is written then sees whether it still is so. */
const readVisitor = async (key: Key): Promise<StoredVisitor | undefined> => {
  const command = new GetCommand({ TableName: tableName(), Key: key });
  return (await documentClient().send(command)).Item;
};

/** Writes down that a visitor was active in a half hour, unless that is known: whatever the answers, the item tells. */
const arrive = async (
  own: readonly [ActivityEvent, ...ActivityEvent[]],
): Promise<NewSlot | undefined> => {
  const [bringer] = own;
  const key = keys.dailyVisitor(getDay(bringer), bringer.data.visitor);
  const place = getSlot(bringer);
  let stored = await readVisitor(key);
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const before = stored?.['halfHours'] as string | undefined;
    if (stored && before?.[place] === '1') return arrivalIn(stored, place, own);
    stored =
      before === undefined
        ? await writeFirst(key, place, bringer)
        : await writeAnother(key, before, place, bringer);
  }
  throw new Error('A visitor keeps being active elsewhere');
};

/** What came of one visitor: an arrival, or none, or why it could not be written down. */
export interface VisitorOutcome {
  /** The happenings of this visitor. */
  readonly own: readonly ActivityEvent[];
  readonly outcome: PromiseSettledResult<NewSlot | undefined>;
}

/**
 * Writes down who was active in the ten minutes of these happenings: a unit for each visitor of whom that wasn't known. An
 * arrival belongs to one happening: told of again it is the same, and where that one is missing it is none.
 */
export const recordVisitors = async (
  events: readonly ActivityEvent[],
): Promise<VisitorOutcome[]> => {
  const groups = [...Map.groupBy(events, ({ data }) => data.visitor).values()] as [
    ActivityEvent,
    ...ActivityEvent[],
  ][];
  const outcomes = await Promise.allSettled(groups.map(arrive));
  return groups.map((own, at) => ({ own, outcome: outcomes[at] as VisitorOutcome['outcome'] }));
};
