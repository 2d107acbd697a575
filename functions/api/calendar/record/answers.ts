import { AppError } from '../../../../shared/runtime/errors.ts';
import { type Attendance, type Attendee, maxAnswers, type StoredEvent } from './event.ts';

/*
 * An attendee answers for all occurrences of an event; an answer to a single one is kept only where it differs. As answers
 * are reset when the series moves, the starts by which they name occurrences are always those of the current rule.
 */

/** Returns an attendee's answer to an occurrence, or to all of them if `recurrenceId` is `undefined`. */
export const getAnswer = (
  { status, answers }: Attendee,
  recurrenceId: string | undefined,
): Attendance => (recurrenceId === undefined ? undefined : answers?.[recurrenceId]) ?? status;

type Answers = Readonly<Record<string, Attendance>>;

/** Returns an attendee with the answer to all occurrences only. */
export const withoutAnswers = ({ answers: _, ...attendee }: Attendee): Attendee => attendee;

const withAnswers = (attendee: Attendee, answers: Answers): Attendee =>
  Object.keys(answers).length === 0 ? withoutAnswers(attendee) : { ...attendee, answers };

/** Returns an event with its attendees' answers to one occurrence. */
export const withAnswersAt = (
  event: StoredEvent,
  recurrenceId: string | undefined,
): StoredEvent => ({
  ...event,
  attendees: event.attendees.map((attendee) => ({
    ...withoutAnswers(attendee),
    status: getAnswer(attendee, recurrenceId),
  })),
});

const setAnswer = (attendee: Attendee, recurrenceId: string, status: Attendance): Attendee => {
  const { [recurrenceId]: _, ...others } = attendee.answers ?? {};
  const isSame = status === attendee.status;
  return withAnswers(attendee, isSame ? others : { ...others, [recurrenceId]: status });
};

/** Returns an attendee whose earliest answer, to an occurrence that has started, makes room for another. */
const makeRoom = (attendee: Attendee): Attendee => {
  const [earliest, ...others] = Object.entries(attendee.answers ?? {}).sort();
  if (earliest && Date.parse(earliest[0]) <= Date.now()) {
    return withAnswers(attendee, Object.fromEntries(others));
  }
  throw new AppError(
    'CONFLICT',
    `You can answer up to ${maxAnswers} occurrences differently from the others. Answer for all of them instead.`,
  );
};

/**
 * Returns an attendee with an answer to one occurrence. Beyond 50 answers, the earliest one is dropped, if its occurrence has
 * started.
 * @throws AppError CONFLICT if it has not
 */
export const answerOccurrence = (
  attendee: Attendee,
  recurrenceId: string,
  status: Attendance,
): Attendee => {
  const answered = setAnswer(attendee, recurrenceId, status);
  const isFull = Object.keys(answered.answers ?? {}).length > maxAnswers;
  return isFull ? setAnswer(makeRoom(attendee), recurrenceId, status) : answered;
};

/** Asks those again who answered to one occurrence, because its time has changed. */
export const resetAnswersAt = (
  attendees: readonly Attendee[],
  recurrenceId: string,
): readonly Attendee[] =>
  attendees.map((attendee) =>
    attendee.answers?.[recurrenceId] === undefined
      ? attendee
      : setAnswer(attendee, recurrenceId, 'pending'),
  );

/** An answer to a single occurrence. */
export interface OccurrenceAnswer {
  readonly userId: number;
  readonly occurrenceStart: string;
  readonly status: Attendance;
}

/** Lists the answers to single occurrences, without those to canceled ones. */
export const listAnswers = ({ attendees, exdates }: StoredEvent): OccurrenceAnswer[] =>
  attendees.flatMap(({ id, answers = {} }) =>
    Object.entries(answers)
      .filter(([occurrenceStart]) => !exdates.includes(occurrenceStart))
      .map(([occurrenceStart, status]) => ({ userId: id, occurrenceStart, status }))
      .sort((one, other) => (one.occurrenceStart < other.occurrenceStart ? -1 : 1)),
  );
