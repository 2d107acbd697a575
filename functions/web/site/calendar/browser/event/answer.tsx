import type { Signal } from '@preact/signals';
import { Icon } from '../../../../browser/components/icon.tsx';
import { Segments } from '../../../../browser/components/tabs.tsx';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { signedIn } from '../../../../browser/shell/session.ts';
import { reload } from '../parts/state.ts';
import type { CalendarEvent } from './record.ts';
import { eventTexts as texts } from './texts.ts';

type Status = CalendarEvent['attendees'][number]['status'];
type Given = Exclude<Status, 'pending'>;

const answers: readonly { readonly value: Given; readonly label: string }[] = [
  { value: 'accepted', label: texts.yes },
  { value: 'tentative', label: texts.perhaps },
  { value: 'declined', label: texts.no },
];

const withAnswer = (event: CalendarEvent, status: Status): CalendarEvent => ({
  ...event,
  attendees: event.attendees.map((one) =>
    one.id === signedIn?.user.id ? { ...one, status } : one,
  ),
});

/** Asks someone who is invited whether they come. The answer is shown at once. */
export const Answer = ({ source }: { readonly source: Signal<CalendarEvent | undefined> }) => {
  const event = source.value;
  const current = event?.attendees.find(({ id }) => id === signedIn?.user.id)?.status;
  if (!event || current === undefined) return null;
  const give = async (status: Given) => {
    source.value = withAnswer(event, status);
    try {
      source.value = await api.call('PUT /api/calendar/events/{id}/attendance', {
        params: { id: event.id },
        body: { status },
      });
      await reload();
    } catch (error) {
      if (source.value) source.value = withAnswer(source.value, current);
      showFailure(texts.notAnswered((error as Error).message), () => give(status));
    }
  };
  return (
    <>
      <span class="small sub answer">{texts.question}</span>
      <span class="end">
        <Segments<Status>
          label={texts.yourAnswer}
          value={current}
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
