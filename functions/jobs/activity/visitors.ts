import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { conditionalPut, conditionalUpdate } from '../../../shared/db/conditional-write.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import type { Key } from '../../../shared/db/key.ts';
import { type ActivityEvent, getDay } from './activity-event.ts';
import { visitKeys } from './keys.ts';

/** Longer than messages stay in the queue. A later message would count the visitor again. */
const retentionSeconds = 5 * 86_400;

const maxAttempts = 8;

const slotsPerDay = 48;
const slotMs = 1_800_000;
const noSlots = '0'.repeat(slotsPerDay);

/** Returns the half hour of the day in which an event occurred. */
const getSlot = ({ data: { at } }: ActivityEvent): number =>
  Math.floor((Date.parse(at) - Date.parse(at.slice(0, 10))) / slotMs);

/** Counts visits: consecutive half hours of activity are one. */
const countVisits = (halfHours: string): number => halfHours.match(/1+/g)?.length ?? 0;

/** The first activity of a visitor in a half hour, counted with the one event that caused it. */
export interface NewSlot {
  readonly event: ActivityEvent;
  /** The change of the number of visits: -1 if the half hour joins two visits. */
  readonly visits: -1 | 0 | 1;
  readonly isFirst: boolean;
}

/** A stored visitor: a `1` for each half hour of activity, and the event that caused each. */
type StoredVisitor = Readonly<Record<string, unknown>>;

/** Returns the attribute that holds the event of a half hour and the number of visits it adds. */
const slotAttribute = (slot: number): string => `slot${slot}`;

/** Returns the stored first activity of a half hour, if one of these events caused it. */
const findNewSlot = (
  stored: StoredVisitor,
  slot: number,
  events: readonly ActivityEvent[],
): NewSlot | undefined => {
  const [name, visits] = String(stored[slotAttribute(slot)] ?? '').split(' ');
  const event = events.find((one) => one.name === name);
  if (!event) return undefined;
  return {
    event,
    visits: Number(visits) as NewSlot['visits'],
    isFirst: stored['firstEvent'] === name,
  };
};

const setSlot = (halfHours: string, slot: number): string =>
  `${halfHours.slice(0, slot)}1${halfHours.slice(slot + 1)}`;

const createVisitor = async (key: Key, slot: number, event: ActivityEvent) => {
  const dayEnd = Date.parse(getDay(event)) + 86_400_000;
  const Item = {
    ...key,
    halfHours: setSlot(noSlots, slot),
    [slotAttribute(slot)]: `${event.name} 1`,
    firstEvent: event.name,
    ttl: Math.ceil(Math.max(dayEnd, Date.now()) / 1_000) + retentionSeconds,
  };
  const { written, item } = await conditionalPut({
    Item,
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  return written ? Item : item;
};

const addSlot = async (key: Key, before: string, slot: number, { name }: ActivityEvent) => {
  const after = setSlot(before, slot);
  const { item } = await conditionalUpdate({
    Key: key,
    UpdateExpression: 'SET halfHours = :after, #slot = :slot',
    ConditionExpression: 'halfHours = :before',
    ExpressionAttributeNames: { '#slot': slotAttribute(slot) },
    ExpressionAttributeValues: {
      ':after': after,
      ':before': before,
      ':slot': `${name} ${countVisits(after) - countVisits(before)}`,
    },
  });
  return item;
};

/** Reads a visitor, eventually consistent to save capacity: the conditions of the writes detect stale reads. */
const readVisitor = async (key: Key): Promise<StoredVisitor | undefined> => {
  const command = new GetCommand({ TableName: tableName(), Key: key });
  return (await documentClient().send(command)).Item;
};

/** Records that a visitor was active in a half hour. Repeatable: the stored item decides which event counts. */
const recordVisitor = async (
  events: readonly [ActivityEvent, ...ActivityEvent[]],
): Promise<NewSlot | undefined> => {
  const [event] = events;
  const key = visitKeys.visitor.at({ day: getDay(event), visitor: event.data.visitor });
  const slot = getSlot(event);
  let stored = await readVisitor(key);
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const before = stored?.['halfHours'] as string | undefined;
    if (stored && before?.[slot] === '1') return findNewSlot(stored, slot, events);
    stored =
      before === undefined
        ? await createVisitor(key, slot, event)
        : await addSlot(key, before, slot, event);
  }
  throw new Error('Too many concurrent writes to a visitor');
};

/** The result for one visitor: a new half hour, none, or an error. */
export interface VisitorOutcome {
  /** The events of this visitor. */
  readonly events: readonly ActivityEvent[];
  readonly outcome: PromiseSettledResult<NewSlot | undefined>;
}

/**
 * Records the visitors of events within ten minutes. Each new half hour belongs to one event: a repeated event returns it
 * again, and other events return none.
 */
export const recordVisitors = async (
  events: readonly ActivityEvent[],
): Promise<VisitorOutcome[]> => {
  const groups = [...Map.groupBy(events, ({ data }) => data.visitor).values()] as [
    ActivityEvent,
    ...ActivityEvent[],
  ][];
  const outcomes = await Promise.allSettled(groups.map(recordVisitor));
  return groups.map((group, at) => ({
    events: group,
    outcome: outcomes[at] as VisitorOutcome['outcome'],
  }));
};
