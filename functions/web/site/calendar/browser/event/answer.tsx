import type { Signal } from '@preact/signals';
import { Icon } from '../../../../browser/components/icon.tsx';
import { Segments } from '../../../../browser/components/tabs.tsx';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { signedIn } from '../../../../browser/shell/session.ts';
import { reload } from '../parts/state.ts';
import { type CalendarEvent, isSame, type OccurrenceFields } from './record.ts';
import { askScope } from './scope.tsx';
import { eventTexts as texts } from './texts.ts';

type Status = CalendarEvent['attendees'][number]['status'];
type Given = Exclude<Status, 'pending'>;

const answers: readonly { readonly value: Given; readonly label: string }[] = [
  { value: 'accepted', label: texts.yes },
  { value: 'tentative', label: texts.perhaps },
  { value: 'declined', label: texts.no },
];

/** Shows an answer at once: to the occurrence that the rule starts at `start`, or to all, which replaces those to single ones. */
const withAnswer = (
  event: CalendarEvent,
  status: Given,
  start: string | undefined,
): CalendarEvent => {
  const userId = signedIn?.user.id ?? 0;
  if (start === undefined) {
    return {
      ...event,
      attendees: event.attendees.map((one) => (one.id === userId ? { ...one, status } : one)),
      answers: event.answers.filter((one) => one.userId !== userId),
    };
  }
  const others = event.answers.filter(
    (one) => one.userId !== userId || !isSame(one.occurrenceStart, start),
  );
  return { ...event, answers: [...others, { userId, occurrenceStart: start, status }] };
};

interface AnswerProps {
  readonly source: Signal<CalendarEvent | undefined>;
  /** The `occurrenceStart` of the shown occurrence. */
  readonly start: string | undefined;
  readonly shown: OccurrenceFields;
}

/** Asks someone who is invited whether they come, and of a series, to which. The answer is shown at once. */
export const Answer = ({ source, start, shown }: AnswerProps) => {
  const event = source.value;
  const current = shown.attendees.find(({ id }) => id === signedIn?.user.id)?.status;
  if (!event || current === undefined) return null;
  const save = async (status: Given, occurrenceStart: string | undefined) => {
    const before = source.value;
    if (!before) return;
    source.value = withAnswer(before, status, occurrenceStart);
    try {
      source.value = await api.call('PUT /api/calendar/events/{id}/attendance', {
        params: { id: before.id },
        body: { status, ...(occurrenceStart !== undefined && { occurrenceStart }) },
      });
      await reload();
    } catch (error) {
      source.value = before;
      const retry = () => save(status, occurrenceStart);
      showFailure(texts.notAnswered((error as Error).message), retry);
    }
  };
  const give = async (status: Given) => {
    if (start === undefined) return save(status, undefined);
    const scope = await askScope({
      title: texts.giveTitle[status](shown.title),
      action: texts.give[status],
      event: { ...event, ...shown },
      occurrenceStart: start,
    });
    if (scope) await save(status, scope === 'this' ? start : undefined);
  };
  return (
    <>
      <span class="small sub answer">{texts.question}</span>
      <span class="end">
        <Segments<Status>
          label={texts.yourAnswer}
          value={current}
          // What is said to one event can be said to all.
          canRepeat={start !== undefined}
          onChange={(status) => status !== 'pending' && give(status)}
          options={answers.map(({ value, label }) => ({
            value,
            label: (
              <>
                {value === current && <Icon name="check" />}
                {label}
              </>
            ),
          }))}
        />
      </span>
    </>
  );
};
