import type * as z from 'zod';
import type { IsSame } from '../../../shared/input/record-change.ts';
import { type ErrorDetail, invalidField, invalidInput } from '../../../shared/runtime/errors.ts';
import type { EventEdit } from './events/events.ts';
import {
  attendeeIds,
  changeOfEvent,
  changeOfOccurrence,
  defaults,
  type EventChange,
  type Fields,
  type OccurrenceChange,
  otherNames,
  reminders,
  toTimes,
} from './input.ts';
import type { StoredEvent } from './record/event.ts';
import { getOccurrenceAt, getRecurrenceId, type OccurrenceEdit } from './record/occurrence-edit.ts';
import { isCancelled } from './record/schedule.ts';
import { skipInvalid } from './record/skip-invalid.ts';
import { parseTime, toInstant } from './recurrence/time.ts';
import { toEvent, toOccurrence } from './schemas.ts';

type Sent = Readonly<Record<string, unknown>>;

/** An event and one of its occurrences as the API shows them together. */
const toEventAt = (event: StoredEvent, recurrenceId: string): ReturnType<typeof toEvent> => ({
  ...toEvent(event),
  ...toOccurrence(getOccurrenceAt(event, recurrenceId)),
});

const getId = (attendee: unknown): number =>
  Number(typeof attendee === 'object' ? (attendee as { id?: unknown } | null)?.id : attendee);

const getIds = (attendees: readonly unknown[]): string =>
  JSON.stringify(attendees.map(getId).toSorted());

const ofAttendance = 'is changed at PUT /api/calendar/events/{id}/attendance, by who is invited';

/**
 * An event's owner invites, and answers for nobody.
 * @throws AppError VALIDATION_ERROR about another status of an attendee
 */
const assertAttendees = ({ attendees }: Sent, seen: StoredEvent): void => {
  if (!Array.isArray(attendees)) return;
  const wrong = attendees.flatMap((sent: Sent, at): ErrorDetail[] => {
    const id = getId(sent);
    const stored = seen.attendees.find((attendee) => attendee.id === id);
    const status = sent?.['status'] ?? undefined;
    if (status === undefined || status === (stored?.status ?? 'pending')) return [];
    return [{ field: `attendees.${at}.status`, message: ofAttendance }];
  });
  if (wrong.length > 0) throw invalidInput(wrong);
};

/** What a series has whatever one occurrence is. */
const ofOthers = ['version', 'updatedAt', 'exdates', 'overrides'];

/** Says which fields of a body are as they were read, in whatever form they were sent. */
const comparing = (event: StoredEvent, body: Readonly<Record<string, unknown>>): IsSame => {
  const { timezone = event.timezone, allDay = event.allDay } = body;
  const instantOf = (time: unknown) => {
    const given = typeof time === 'string' ? parseTime(time) : undefined;
    return given && toInstant(given, String(timezone ?? event.timezone));
  };
  return (field, sent, stored) => {
    if (sent == null || stored == null) return undefined;
    // Other occurrences may have been changed since this one was listed.
    if (ofOthers.includes(field) && namedOccurrence(body) !== undefined) return true;
    switch (field) {
      case 'start':
      case 'end':
        if (event.allDay || (allDay ?? false)) return undefined;
        return instantOf(sent) === instantOf(stored);
      case 'attendees':
        return Array.isArray(sent) && getIds(sent) === getIds(stored as readonly unknown[]);
      case 'exdates':
        return Array.isArray(sent)
          ? skipInvalid(event, () => isCancelled(event, sent.map(String)))
          : undefined;
      case 'occurrenceStart':
      case 'recurrenceId':
        return getRecurrenceId(event, String(sent)) === stored;
      default:
        return undefined;
    }
  };
};

/** What of a body differs from an occurrence as it is listed; who sends another start and the end means both. */
const toOccurrenceFields = (body: Sent, changes: Partial<Fields>): OccurrenceEdit => {
  const { title, location, status } = changes;
  if (changes.end === null) throw invalidField('end', 'must be set for a single occurrence');
  const sentEnd = ['end', ...otherNames.end].map((name) => body[name]).find((end) => end != null);
  const start = changes.start ?? undefined;
  const end = changes.end ?? (start === undefined ? undefined : (sentEnd as string | undefined));
  return {
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
    ...(title !== undefined && { title: title ?? undefined }),
    ...(location !== undefined && { location: location ?? undefined }),
    ...(status !== undefined && { status: status ?? undefined }),
  };
};

/** Which occurrence a whole record is of, as it was listed: by its start as it was sent. */
const namedOccurrence = (body: Sent): string | undefined =>
  [body['occurrenceStart'], body['recurrenceId']].find((name) => typeof name === 'string');

/** The answer to a change: the occurrence that it named, where that is still one, or the event. */
export const toAnswered = (event: StoredEvent, body: Sent): ReturnType<typeof toEvent> => {
  const named = namedOccurrence(body);
  const recurrenceId = named === undefined ? undefined : getRecurrenceId(event, named);
  return recurrenceId === undefined ? toEvent(event) : toEventAt(event, recurrenceId);
};

const findOccurrence = (event: StoredEvent, named: string): string => {
  const recurrenceId = getRecurrenceId(event, named);
  if (recurrenceId !== undefined) return recurrenceId;
  throw invalidField('occurrenceStart', 'is no occurrence of the event by now: list them again');
};

/** What an occurrence may have of its own. */
const ofOne = ['start', 'end', 'title', 'location', 'status'] as const;

/** What is changed of a whole series has to be changed from what it is now. */
const assertSentVersion = ({ version }: Sent, seen: StoredEvent): void => {
  if (version === undefined || version === seen.version) return;
  throw invalidField('version', `is now ${seen.version}; fetch the record again`);
};

/**
 * The change of an event as the domain takes it: what of the body differs from the event, or from the one occurrence that
 * the body names, as the API shows it. `ownZone` is the time zone of an event that names none.
 * @throws AppError VALIDATION_ERROR about what can't be changed, and an occurrence that isn't there
 */
export const toEventEdit = (
  sent: z.output<typeof EventChange>,
  seen: StoredEvent,
  ownZone: string,
): EventEdit => {
  const body = sent.timezone === null ? { ...sent, timezone: ownZone } : sent;
  assertAttendees(body, seen);
  const named = namedOccurrence(body);
  const recurrenceId = named === undefined ? undefined : findOccurrence(seen, named);
  const shown = recurrenceId === undefined ? toEvent(seen) : toEventAt(seen, recurrenceId);
  const changes = changeOfEvent.changes(body, shown, comparing(seen, body)) as Partial<Fields>;
  const occurrence =
    recurrenceId === undefined
      ? undefined
      : { recurrenceId, edit: toOccurrenceFields(body, changes) };
  const ofEvent = { ...changes };
  if (occurrence) {
    for (const name of ofOne) delete ofEvent[name];
    if (Object.keys(ofEvent).length > 0) assertSentVersion(body, seen);
  }
  const { title, description, type, color, location, priority, status } = ofEvent;
  return {
    fields: {
      ...(title != null && { title }),
      ...(description !== undefined && { description: description ?? undefined }),
      ...(type !== undefined && { type: type ?? defaults.type }),
      ...(color !== undefined && { color: color ?? undefined }),
      ...(location !== undefined && { location: location ?? undefined }),
      ...(priority !== undefined && { priority: priority ?? defaults.priority }),
      ...(status !== undefined && { status: status ?? defaults.status }),
      ...(ofEvent.reminders !== undefined && { reminders: reminders(ofEvent.reminders) }),
    },
    times: toTimes(ofEvent as Fields),
    attendeeIds: ofEvent.attendees === undefined ? undefined : attendeeIds(ofEvent.attendees),
    ...(occurrence && { occurrence }),
  };
};

/**
 * The change of one occurrence as the domain takes it: what of the body differs from it as the API lists it.
 * @throws AppError VALIDATION_ERROR about what can't be changed of one alone
 */
export const toOccurrenceEdit = (
  body: z.output<typeof OccurrenceChange>,
  event: StoredEvent,
  recurrenceId: string,
): OccurrenceEdit => {
  assertAttendees(body, event);
  const shown = toEventAt(event, recurrenceId);
  const changes = changeOfOccurrence.changes(body, shown, comparing(event, body));
  return toOccurrenceFields(body, changes as Partial<Fields>);
};
