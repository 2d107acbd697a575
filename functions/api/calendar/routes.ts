import * as z from 'zod';
import { parseSubjectId } from '../../../shared/audit/record-diff.ts';
import { RecordId } from '../../../shared/db/ids.ts';
import { Deleted, Success, success } from '../../../shared/http/envelope.ts';
import { type Route, route } from '../../../shared/http/route.ts';
import { TimeZone } from '../../../shared/input/time-zone.ts';
import { emptyAsUndefined } from '../../../shared/lists/filters.ts';
import { toEventEdit, toOccurrenceEdit, toUpdateResponse } from './edit.ts';
import type { EventEdit } from './events/apply-edit.ts';
import { respond } from './events/attendees.ts';
import { withAllNames, withCurrentNames } from './events/current-names.ts';
import { create, read, remove, update } from './events/events.ts';
import { findInWindow, readWindow } from './events/window.ts';
import { feedRoutes } from './feed/routes.ts';
import { AttendanceInput, EventChange, EventInput, OccurrenceChange, toNewEvent } from './input.ts';
import { getTimeZone, type StoredEvent } from './record/event.ts';
import { updateMessage } from './record/exceptions.ts';
import { CalendarEvent, EventWindow, toEvent, toWindow } from './schemas.ts';

const params = z.object({ id: RecordId });

const occurrenceParams = z.object({
  id: RecordId,
  start: z.string().max(40).meta({
    description: 'The `occurrenceStart` of the occurrence, or its date.',
  }),
});

const getVersion = ({ data }: { readonly data: { readonly version: number } }) => data.version;

const tooManyInvitations = {
  RATE_LIMITED:
    'An attendee got 60 invitations from you within an hour. `details` names `attendees`.',
};

const WindowQuery = z.object({
  start: z.preprocess(
    emptyAsUndefined,
    z.string().max(40).optional().meta({
      description:
        'Start of the window: a day or a time (ISO 8601) in `timezone`. Without `start` and `end`, the window is the current month; with one of them, it is one month long.',
    }),
  ),
  end: z.preprocess(
    emptyAsUndefined,
    z.string().max(40).optional().meta({
      description:
        'End of the window: a time, exclusive, or a day in `timezone`, inclusive. At most 100 years after `start`.',
    }),
  ),
  timezone: z.preprocess(
    emptyAsUndefined,
    TimeZone.optional().meta({
      description:
        'An IANA time zone for times without an offset and for all-day events. The default is that of your profile, or UTC.',
    }),
  ),
});

export const routes: readonly Route[] = [
  route({
    endpoint: 'GET /api/calendar/events',
    access: 'calendar:view',
    summary: 'List events',
    description:
      'Returns your events and those you are invited to within a time window, with recurring ones expanded. Returns up to 500 occurrences; if there are more, `nextStart` says where to continue.',
    query: WindowQuery,
    readsList: () => true,
    output: EventWindow,
    readAhead: (userId, query) => {
      const { start, end, timezone } = query;
      // The default time zone is known with the user only, and the default window changes with time.
      const isKnown = timezone !== undefined && (start ?? end) !== undefined;
      return isKnown ? findInWindow(userId, timezone, query) : undefined;
    },
    handle: async ({ actor, query, ahead }) => {
      const timezone = query.timezone ?? getTimeZone(actor);
      return success(toWindow(await readWindow(actor.user.id, timezone, query, ahead)));
    },
  }),
  route({
    endpoint: 'GET /api/calendar/events/{id}',
    access: 'calendar:view',
    summary: 'Get an event',
    description:
      'Returns the event itself. Of a recurring one, that is the first occurrence, the rule and its exceptions.',
    params,
    output: Success(CalendarEvent),
    versionOf: getVersion,
    handle: async ({ actor, params: { id } }) => success(toEvent(await read(actor, id))),
  }),
  route({
    endpoint: 'POST /api/calendar/events',
    access: 'calendar:create',
    summary: 'Create an event',
    description: '`title` and `start` are required. Attendees are invited and notified.',
    status: 201,
    body: EventInput,
    output: Success(CalendarEvent),
    errors: tooManyInvitations,
    auditAction: 'event.create',
    idempotency: {
      replay: async ({ actor }, subject) =>
        success(toEvent(await read(actor, parseSubjectId(subject))), 'Created'),
    },
    versionOf: getVersion,
    handle: async ({ actor, body, recorder }) => {
      const { fields, times, attendeeIds } = toNewEvent(body);
      return success(
        toEvent(await withCurrentNames(await create(actor, fields, times, attendeeIds, recorder))),
        'Created',
      );
    },
  }),
  route({
    endpoint: 'PUT /api/calendar/events/{id}',
    access: 'calendar:update',
    summary: 'Update an event',
    description:
      'Changes only the fields you send; `null` clears a field. If the time changes, attendees are asked to respond again. Only the owner can do this.',
    params,
    body: EventChange,
    output: Success(CalendarEvent),
    errors: {
      ...tooManyInvitations,
      CONFLICT: 'The event already has 50 modified occurrences.',
    },
    auditAction: 'event.update',
    versionOf: getVersion,
    handle: async ({ actor, params: { id }, body, ifMatch, recorder }) => {
      const toEdit = (event: StoredEvent) => toEventEdit(body, event, getTimeZone(actor));
      const target = { id, occurrenceStart: undefined };
      const { event, removed } = await update(actor, target, toEdit, ifMatch, recorder);
      return success(toUpdateResponse(await withCurrentNames(event), body), updateMessage(removed));
    },
  }),
  route({
    endpoint: 'DELETE /api/calendar/events/{id}',
    access: 'calendar:delete',
    summary: 'Delete an event',
    description: 'Deletes the event with all its occurrences and notifies the attendees.',
    params,
    output: Deleted,
    auditAction: 'event.delete',
    versionOf: () => undefined,
    handle: async ({ actor, params: { id }, ifMatch, recorder }) => {
      await remove(actor, id, ifMatch, recorder);
      return success({ id }, 'Deleted');
    },
  }),
  route({
    endpoint: 'PUT /api/calendar/events/{id}/attendance',
    access: 'calendar:view',
    summary: 'Respond to an invitation',
    description:
      'Saves your response and notifies the owner: to all occurrences of a recurring event, or to one with `occurrenceStart`. Up to 50 of them can differ from that to all; past ones make room. Returns the event itself.',
    params,
    body: AttendanceInput,
    output: Success(CalendarEvent),
    errors: { CONFLICT: 'You already have 50 responses to single occurrences of the event.' },
    auditAction: 'event.respond',
    versionOf: getVersion,
    handle: async ({ actor, params: { id }, body, ifMatch, recorder }) =>
      success(
        toEvent(
          await withAllNames(
            await respond(
              actor,
              id,
              { status: body.status, occurrenceStart: body.occurrenceStart ?? undefined },
              ifMatch,
              recorder,
            ),
          ),
        ),
        'Response saved',
      ),
  }),
  route({
    endpoint: 'PUT /api/calendar/events/{id}/occurrences/{start}',
    access: 'calendar:update',
    summary: 'Update one occurrence',
    description:
      'Changes or moves one occurrence of a recurring event; the others stay. An event can have up to 50 changed occurrences.',
    params: occurrenceParams,
    body: OccurrenceChange,
    output: Success(CalendarEvent),
    errors: { CONFLICT: 'The event already has 50 modified occurrences.' },
    auditAction: 'event.update-occurrence',
    versionOf: getVersion,
    handle: async ({ actor, params: { id, start }, body, ifMatch, recorder }) => {
      const toEdit = (event: StoredEvent, recurrenceId: string) =>
        toOccurrenceEdit(body, event, recurrenceId);
      const target = { id, occurrenceStart: start };
      const { event } = await update(actor, target, toEdit, ifMatch, recorder);
      return success(toEvent(await withCurrentNames(event)), 'Saved');
    },
  }),
  route({
    endpoint: 'DELETE /api/calendar/events/{id}/occurrences/{start}',
    access: 'calendar:update',
    summary: 'Cancel one occurrence',
    description:
      'Cancels one occurrence of a recurring event; the others stay. An event can have up to 200 canceled occurrences.',
    params: occurrenceParams,
    output: Success(CalendarEvent),
    errors: { CONFLICT: 'The event already has 200 canceled occurrences.' },
    auditAction: 'event.cancel-occurrence',
    versionOf: getVersion,
    handle: async ({ actor, params: { id, start }, ifMatch, recorder }) => {
      const toEdit = (_: StoredEvent, recurrenceId: string): EventEdit => ({
        occurrence: { recurrenceId, edit: 'cancel' },
      });
      const target = { id, occurrenceStart: start };
      const { event } = await update(actor, target, toEdit, ifMatch, recorder);
      return success(toEvent(await withCurrentNames(event)), 'Canceled');
    },
  }),
  ...feedRoutes,
];
