import type { Actor } from '../../shared/actor.ts';
import type { Change } from '../../shared/change.ts';
import { AppError } from '../../shared/errors.ts';
import { checkVersion, type IfMatch } from '../../shared/etag.ts';
import {
  durationOf,
  maxExdates,
  maxOverrides,
  notFound,
  type Override,
  type StoredEvent,
  tickOf,
  timeOf,
} from './event.ts';
import { findOwn } from './events.ts';
import { tellingOf } from './notices.ts';
import { checkedTimes, findStart, recurrenceIn } from './schedule.ts';
import { next, untilDone, write } from './store.ts';
import { parseTime } from './time.ts';

/** What of one occurrence is to be another: what is absent stays, what is `undefined` is as with all others again. */
export interface OccurrenceEdit {
  readonly start?: string;
  readonly end?: string;
  readonly title?: string | undefined;
  readonly location?: string | undefined;
  readonly status?: Override['status'] | undefined;
}

const tooMany = (max: number, what: string) =>
  new AppError('CONFLICT', `At most ${max} occurrences of an event can be ${what}`);

/**
 * When the occurrence that a user names by its start starts by the rule.
 * @throws AppError NOT_FOUND where there is none, or it was cancelled
 */
const recurrenceIdOf = (event: StoredEvent, named: string): string => {
  const recurrence = recurrenceIn(event);
  const given = parseTime(named);
  if (!recurrence || !given) throw notFound();
  const tick = findStart(recurrence, given, event.timezone);
  const id = tick === undefined ? undefined : timeOf(event, tick);
  if (id === undefined || event.exdates.includes(id)) throw notFound();
  return id;
};

const overrideOf = (event: StoredEvent, recurrenceId: string): Override => {
  const known = event.overrides.find((override) => override.recurrenceId === recurrenceId);
  const end = timeOf(event, tickOf(event, recurrenceId) + durationOf(event));
  return known ?? { recurrenceId, start: recurrenceId, end };
};

/** The occurrence with what is to be another; one that is only moved to another start takes as long as before. */
const edited = (event: StoredEvent, before: Override, edit: OccurrenceEdit): Override => {
  const { start, end, ...fields } = edit;
  const duration = tickOf(event, before.end) - tickOf(event, before.start);
  const { allDay, timezone } = event;
  const times =
    start === undefined && end === undefined
      ? undefined
      : checkedTimes({ start: start ?? before.start, end, timezone }, allDay);
  const movedEnd = times && (end === undefined ? times.start + duration : times.end);
  const after = {
    ...before,
    ...fields,
    ...(times && { start: timeOf(event, times.start), end: timeOf(event, movedEnd ?? times.end) }),
  };
  return Object.fromEntries(
    Object.entries(after).filter(([, value]) => value !== undefined),
  ) as unknown as Override;
};

const isPlain = (event: StoredEvent, override: Override): boolean =>
  JSON.stringify(Object.entries(override).sort()) ===
  JSON.stringify(
    Object.entries(overrideOf({ ...event, overrides: [] }, override.recurrenceId)).sort(),
  );

const change = (
  actor: Actor,
  id: number,
  named: string,
  ifMatch: IfMatch | undefined,
  audit: Change,
  changed: (
    event: StoredEvent,
    recurrenceId: string,
  ) => Pick<StoredEvent, 'overrides'> & Partial<Pick<StoredEvent, 'exdates'>>,
): Promise<StoredEvent> =>
  untilDone(async () => {
    const seen = await findOwn(actor, id);
    const recurrenceId = recurrenceIdOf(seen, named);
    checkVersion(ifMatch, seen.version);
    const after = next(seen, {
      ...changed(seen, recurrenceId),
      sequence: seen.sequence + 1,
    });
    const userIds = seen.attendees.map((attendee) => attendee.id);
    const isElsewhere = whenOf(seen) !== whenOf(after);
    const notice = tellingOf(after, actor.user.id, [
      { what: 'changed', userIds: isElsewhere ? userIds : [] },
    ]);
    return (await write(seen, after, audit, { notice })) ? after : undefined;
  });

const whenOf = ({ exdates, overrides }: StoredEvent): string =>
  JSON.stringify([
    exdates,
    overrides.map(({ recurrenceId, start, end }) => [recurrenceId, start, end]),
  ]);

/**
 * Changes one occurrence of an event of the actor's, named by its start by the rule, and has those invited told where it
 * is at another time.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; VALIDATION_ERROR about `start` or `end`; CONFLICT past 50 of an event
 */
export const changeOne = (
  actor: Actor,
  id: number,
  named: string,
  edit: OccurrenceEdit,
  ifMatch: IfMatch | undefined,
  audit: Change,
): Promise<StoredEvent> =>
  change(actor, id, named, ifMatch, audit, (event, recurrenceId) => {
    const override = edited(event, overrideOf(event, recurrenceId), edit);
    const others = event.overrides.filter((one) => one.recurrenceId !== recurrenceId);
    const overrides = isPlain(event, override) ? others : [...others, override];
    if (overrides.length > maxOverrides) throw tooMany(maxOverrides, 'changed by themselves');
    return { overrides };
  });

/**
 * Cancels one occurrence of an event of the actor's, named by its start by the rule, and has those invited told.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; CONFLICT past 200 of an event
 */
export const cancelOne = (
  actor: Actor,
  id: number,
  named: string,
  ifMatch: IfMatch | undefined,
  audit: Change,
): Promise<StoredEvent> =>
  change(actor, id, named, ifMatch, audit, (event, recurrenceId) => {
    if (event.exdates.length >= maxExdates) throw tooMany(maxExdates, 'cancelled');
    return {
      exdates: [...event.exdates, recurrenceId].sort(),
      overrides: event.overrides.filter((one) => one.recurrenceId !== recurrenceId),
    };
  });
