import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { isActive } from '../../../../shared/auth/user.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import { assertVersion, type IfMatch } from '../../../../shared/http/content/etag.ts';
import { countForEach, type PairLimit } from '../../../../shared/http/pair-limit.ts';
import { invalidField } from '../../../../shared/runtime/errors.ts';
import { readUsers } from '../../../../shared/users/person.ts';
import { answerOccurrence, getAnswer } from '../record/answers.ts';
import { diffForAudit } from '../record/audit.ts';
import { changeMark } from '../record/changes.ts';
import {
  type Attendance,
  type Attendee,
  notFound,
  type Occurrence,
  type StoredEvent,
  toTimeField,
} from '../record/event.ts';
import type { EventNotification } from '../record/jobs.ts';
import { eventKeys } from '../record/keys.ts';
import { getOccurrenceAt, requireOccurrence } from '../record/occurrence-edit.ts';
import { find, findReadable, retryOnConflict } from '../record/store.ts';
import { notificationWrite } from './notify.ts';

/**
 * Returns the attendees with these ids, without the owner. Keeps current attendees and invites new ones.
 * @throws AppError VALIDATION_ERROR for `attendees`, listing unknown and inactive users
 */
export const toAttendees = async (
  userIds: readonly number[],
  ownerId: number,
  current: readonly Attendee[],
): Promise<readonly Attendee[]> => {
  const ids = [...new Set(userIds)].filter((id) => id !== ownerId);
  const known = new Map(current.map((attendee) => [attendee.id, attendee]));
  const added = ids.filter((id) => !known.has(id));
  const users = await readUsers(added);
  const missing: number[] = [];
  for (const id of added) {
    const user = users.get(id);
    if (!user || !isActive(user)) missing.push(id);
    else known.set(id, { id, name: user.name, status: 'pending' });
  }
  if (missing.length > 0) {
    throw invalidField('attendees', `contains unknown or inactive users: ${missing.join(', ')}`);
  }
  return ids.flatMap((id) => known.get(id) ?? []);
};

/** Limits invitations from one user to another, across all events. */
const invitationLimit: PairLimit = {
  name: 'invite-to',
  tokens: 60,
  perMs: 3_600_000,
  field: 'attendees',
  what: 'invitations',
};

/**
 * Counts the invitations of new attendees.
 * @throws AppError RATE_LIMITED, listing the users with too many from this owner; none is counted then
 */
export const countInvitations = (
  ownerId: number,
  invited: readonly Attendee[],
  current: readonly Attendee[],
): Promise<void> => {
  const known = new Set(current.map(({ id }) => id));
  const added = invited.map(({ id }) => id).filter((id) => !known.has(id));
  return countForEach(invitationLimit, ownerId, added);
};

/** Sets all responses back to pending, also those to single occurrences. */
export const resetResponses = (attendees: readonly Attendee[]): readonly Attendee[] =>
  attendees.map(({ id, name }) => ({ id, name, status: 'pending' }));

/** An answer to an invitation. */
export interface Response {
  readonly status: Attendance;
  /** The start of the only occurrence that it is about; absent: it is about all, and replaces answers to single ones. */
  readonly occurrenceStart?: string | undefined;
}

/** @throws AppError VALIDATION_ERROR for `occurrenceStart` */
const findOccurrence = (event: StoredEvent, start: string): Occurrence =>
  getOccurrenceAt(event, requireOccurrence(event, start));

/** Returns who is told of an answer: the owner, unless its occurrence is over. */
const getRecipients = (
  { ownerId }: StoredEvent,
  status: Attendance,
  occurrence: Occurrence | undefined,
): EventNotification['recipients'] => {
  const isPast = occurrence !== undefined && occurrence.end < Date.now();
  return status === 'pending' || isPast ? [] : [{ kind: status, userIds: [ownerId] }];
};

/**
 * Saves an attendee's response and notifies the owner. Concurrent responses of several attendees don't conflict; one to a
 * single occurrence does with a change of the schedule, which can end that occurrence.
 * @throws AppError NOT_FOUND if the actor is not invited; PRECONDITION_FAILED; VALIDATION_ERROR for `occurrenceStart`;
 *   CONFLICT beyond 50 responses to single occurrences
 */
export const respond = (
  { user }: Actor,
  id: number,
  { status, occurrenceStart }: Response,
  ifMatch: IfMatch | undefined,
  recorder: ChangeRecorder,
): Promise<StoredEvent> =>
  retryOnConflict(async () => {
    const [seen] = await findReadable(user.id, [id]);
    const at = seen?.attendees.findIndex((attendee) => attendee.id === user.id) ?? -1;
    const before = seen?.attendees[at];
    if (!seen || !before) throw notFound();
    assertVersion(ifMatch, seen.version);
    const occurrence =
      occurrenceStart === undefined ? undefined : findOccurrence(seen, occurrenceStart);
    const recurrenceId = occurrence?.recurrenceId;
    const replacesOthers = !occurrence && before.answers !== undefined;
    if (getAnswer(before, recurrenceId) === status && !replacesOthers) return seen;
    const after: Attendee =
      recurrenceId === undefined
        ? { id: user.id, name: user.name, status }
        : answerOccurrence({ ...before, name: user.name }, recurrenceId, status);
    const attendees = seen.attendees.with(at, after);
    const answersSeen = before.answers
      ? `attendees[${at}].answers = :answers`
      : `attribute_not_exists(attendees[${at}].answers)`;
    const refused = await transact([
      {
        write: {
          Update: {
            TableName: tableName(),
            Key: eventKeys.record.at({ id }),
            UpdateExpression: `SET attendees[${at}] = :attendee, updatedAt = :now ADD version :one`,
            ConditionExpression: `attribute_exists(pk) AND attendees[${at}].id = :id AND attendees[${at}].#status = :was AND ${answersSeen}${occurrence ? ' AND #sequence = :sequence' : ''}${ifMatch ? ' AND version = :seen' : ''}`,
            ExpressionAttributeNames: {
              '#status': 'status',
              ...(occurrence && { '#sequence': 'sequence' }),
            },
            ExpressionAttributeValues: {
              ':attendee': after,
              ':id': user.id,
              ':was': before.status,
              ...(before.answers && { ':answers': before.answers }),
              ...(occurrence && { ':sequence': seen.sequence }),
              ':now': new Date().toISOString(),
              ':one': 1,
              ...(ifMatch && { ':seen': seen.version }),
            },
          },
        },
        refused: 'changed',
      },
      notificationWrite(
        { ...seen, version: seen.version + 1 },
        user,
        getRecipients(seen, status, occurrence),
        occurrence && toTimeField(seen, occurrence.start),
      ),
      ...[seen.ownerId, user.id].map(changeMark),
      ...recorder.steps(diffForAudit(seen, { ...seen, attendees })),
    ]);
    // Other attendees may respond concurrently, so only a read returns the current version.
    return refused ? undefined : find(id);
  });
