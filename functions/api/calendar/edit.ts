import type * as z from 'zod';
import type { IsSame } from '../../../shared/input/record-change.ts';
import { type ErrorDetail, invalidField, invalidInput } from '../../../shared/runtime/errors.ts';
import type { EventEdit } from './events/apply-edit.ts';
import { withCurrentNames } from './events/current-names.ts';
import {
  type EventChange,
  eventChange,
  type Fields,
  type OccurrenceChange,
  occurrenceChange,
  timeAliases,
  toAttendeeIds,
  toFields,
  toTimes,
} from './input.ts';
import { getAnswer } from './record/answers.ts';
import type { StoredEvent } from './record/event.ts';
import {
  getOccurrenceAt,
  getRecurrenceId,
  type OccurrenceEdit,
  requireOccurrence,
} from './record/occurrence-edit.ts';
import { areSameExdates } from './record/schedule.ts';
import { skipInvalid } from './record/skip-invalid.ts';
import { parseTime, toInstant } from './recurrence/time.ts';
import { toEvent, toOccurrence } from './schemas.ts';

type Sent = Readonly<Record<string, unknown>>;

/** Returns an event in its API form, with the fields of one of its occurrences. */
const toEventAt = (event: StoredEvent, recurrenceId: string): ReturnType<typeof toEvent> => ({
  ...toEvent(event),
  ...toOccurrence(getOccurrenceAt(event, recurrenceId)),
});

const getId = (attendee: unknown): number =>
  Number(typeof attendee === 'object' ? (attendee as { id?: unknown } | null)?.id : attendee);

const getIds = (attendees: readonly unknown[]): string =>
  JSON.stringify(attendees.map(getId).toSorted());

/** Where attendees change their own fields. */
const changedByAttendee = {
  name: 'can only be changed by the attendee, at PUT /api/users/me',
  avatar: 'can only be changed by the attendee, at PUT /api/users/me',
  status: 'can only be changed by the attendee, at PUT /api/calendar/events/{id}/attendance',
};

/**
 * Rejects changes to the fields of attendees, which only they can change. Their names and avatars in a response are the
 * current ones; their responses in that of an occurrence are those to it.
 * @throws AppError VALIDATION_ERROR
 */
const assertAttendees = async (
  { attendees }: Sent,
  event: StoredEvent,
  recurrenceId: string | undefined,
): Promise<void> => {
  if (!Array.isArray(attendees)) return;
  const hasNames = attendees.some((sent) => sent?.name != null || sent?.avatar != null);
  const shown = hasNames ? await withCurrentNames(event) : event;
  const details = attendees.flatMap((sent, at): ErrorDetail[] => {
    const index = event.attendees.findIndex(({ id }) => id === getId(sent));
    const [stored, current] = [event.attendees[index], shown.attendees[index]];
    const allowed: Readonly<Record<string, readonly unknown[] | undefined>> = {
      name: stored && [stored.name, current?.name],
      avatar: stored && [current?.avatar],
      status: stored ? [stored.status, getAnswer(stored, recurrenceId)] : ['pending'],
    };
    return Object.entries(changedByAttendee).flatMap(([name, message]) => {
      const isChanged = sent?.[name] != null && allowed[name]?.includes(sent[name]) === false;
      return isChanged ? [{ field: `attendees.${at}.${name}`, message }] : [];
    });
  });
  if (details.length > 0) throw invalidInput(details);
};

/** The fields of the series that changes of other occurrences affect. */
const sharedFields = ['version', 'updatedAt', 'exdates', 'overrides', 'answers'];

/** Creates a comparison of sent fields with stored ones that ignores differences in notation. */
const createComparison = (event: StoredEvent, body: Readonly<Record<string, unknown>>): IsSame => {
  const { timezone = event.timezone, allDay = event.allDay } = body;
  const parseInstant = (time: unknown) => {
    const given = typeof time === 'string' ? parseTime(time) : undefined;
    return given && toInstant(given, String(timezone ?? event.timezone));
  };
  return (field, sent, stored) => {
    if (sent == null || stored == null) return undefined;
    // Other occurrences may have changed since this one was listed.
    if (sharedFields.includes(field) && getNamedOccurrence(body) !== undefined) return true;
    switch (field) {
      case 'start':
      case 'end':
        if (event.allDay || (allDay ?? false)) return undefined;
        return parseInstant(sent) === parseInstant(stored);
      case 'attendees':
        return Array.isArray(sent) && getIds(sent) === getIds(stored as readonly unknown[]);
      case 'exdates':
        return Array.isArray(sent)
          ? skipInvalid(event, () => areSameExdates(event, sent.map(String)))
          : undefined;
      case 'occurrenceStart':
      case 'recurrenceId':
        return getRecurrenceId(event, String(sent)) === stored;
      default:
        return undefined;
    }
  };
};

/** Returns the changed fields of an occurrence. If the start changes, an unchanged end is kept as sent. */
const toOccurrenceFields = (body: Sent, changes: Partial<Fields>): OccurrenceEdit => {
  const { title, location, status } = changes;
  if (changes.end === null) throw invalidField('end', 'must be set for a single occurrence');
  const sentEnd = ['end', ...timeAliases.end].map((name) => body[name]).find((end) => end != null);
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

/** Returns the occurrence start that a body names. */
const getNamedOccurrence = (body: Sent): string | undefined =>
  [body['occurrenceStart'], body['recurrenceId']].find((name) => typeof name === 'string');

/** Returns the response to an update: the named occurrence if it still exists, or the event. */
export const toUpdateResponse = (event: StoredEvent, body: Sent): ReturnType<typeof toEvent> => {
  const named = getNamedOccurrence(body);
  const recurrenceId = named === undefined ? undefined : getRecurrenceId(event, named);
  return recurrenceId === undefined ? toEvent(event) : toEventAt(event, recurrenceId);
};

/** The fields that can differ for one occurrence. */
const occurrenceFields = ['start', 'end', 'title', 'location', 'status'] as const;

/** Requires the current version for changes of a whole series. */
const assertCurrentVersion = ({ version }: Sent, event: StoredEvent): void => {
  if (version === undefined || version === event.version) return;
  throw invalidField('version', `is now ${event.version}; fetch the record again`);
};

/**
 * Returns the differences between a body and the event, or the occurrence that the body names. `defaultZone` replaces a
 * time zone of null.
 * @throws AppError VALIDATION_ERROR for fields that can't be changed and for an unknown occurrence
 */
export const toEventEdit = async (
  sent: z.output<typeof EventChange>,
  event: StoredEvent,
  defaultZone: string,
): Promise<EventEdit> => {
  const body = sent.timezone === null ? { ...sent, timezone: defaultZone } : sent;
  const named = getNamedOccurrence(body);
  const recurrenceId = named === undefined ? undefined : requireOccurrence(event, named);
  await assertAttendees(body, event, recurrenceId);
  const current = recurrenceId === undefined ? toEvent(event) : toEventAt(event, recurrenceId);
  const changes = eventChange.changes(
    body,
    current,
    createComparison(event, body),
  ) as Partial<Fields>;
  const occurrence =
    recurrenceId === undefined
      ? undefined
      : { recurrenceId, edit: toOccurrenceFields(body, changes) };
  const eventChanges = { ...changes };
  if (occurrence) {
    for (const name of occurrenceFields) delete eventChanges[name];
    if (Object.keys(eventChanges).length > 0) assertCurrentVersion(body, event);
  }
  return {
    fields: toFields(eventChanges),
    times: toTimes(eventChanges as Fields),
    attendeeIds:
      eventChanges.attendees === undefined ? undefined : toAttendeeIds(eventChanges.attendees),
    ...(occurrence && { occurrence }),
  };
};

/**
 * Returns the differences between a body and an occurrence.
 * @throws AppError VALIDATION_ERROR for fields that can only change for all occurrences
 */
export const toOccurrenceEdit = async (
  body: z.output<typeof OccurrenceChange>,
  event: StoredEvent,
  recurrenceId: string,
): Promise<EventEdit> => {
  await assertAttendees(body, event, recurrenceId);
  const current = toEventAt(event, recurrenceId);
  const changes = occurrenceChange.changes(body, current, createComparison(event, body));
  const edit = toOccurrenceFields(body, changes as Partial<Fields>);
  return { occurrence: { recurrenceId, edit } };
};
