import { setStatus } from '../../../../browser/record/task-status.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { may, signedIn } from '../../../../browser/shell/session.ts';
import { calendarTexts as texts } from '../../texts.ts';
import { openEvent } from '../event/open.ts';
import { formatHours, formatTime } from './formats.ts';
import { keyOf, type Occurrence, showChanged, view } from './state.ts';

const kinds = { meeting: 'meet', task: 'task', reminder: 'rem', holiday: 'free' } as const;

/** Whether this user may move and change the event. */
export const isChangeable = ({ owner_id }: Occurrence): boolean =>
  may('calendar:manage') || (owner_id === signedIn?.user.id && may('calendar:update'));

const isOpen = ({ id, occurrenceStart }: Occurrence): boolean =>
  view.value.open === id && (view.value.start ?? occurrenceStart) === occurrenceStart;

const isDeclined = ({ attendees }: Occurrence): boolean =>
  attendees.some(({ id, status }) => id === signedIn?.user.id && status === 'declined');

/** Returns the classes of an event, by its type and state. */
export const listClasses = (event: Occurrence, isBar: boolean): string =>
  [
    'ev',
    kinds[event.type],
    isBar && 'all',
    event.type === 'task' && event.status === 'done' && 'done',
    isDeclined(event) && 'declined',
    event.color && 'own',
    isOpen(event) && 'sel',
  ]
    .filter(Boolean)
    .join(' ');

/** Opens an event, or the occurrence that was clicked. */
export const open = ({ id, occurrenceStart }: Occurrence): void =>
  openEvent({ id, ...(occurrenceStart !== null && { start: occurrenceStart }) });

/** Sets whether a task is done, shows it at once, and puts it back if that fails. */
const toggle = async (event: Occurrence): Promise<void> => {
  const { status } = event;
  const next = status === 'done' ? 'pending' : 'done';
  showChanged(event, { status: next });
  try {
    await setStatus(event, next);
  } catch (error) {
    showChanged(event, { status });
    showFailure(texts.notSaved(event.title, (error as Error).message), () => toggle(event));
  }
};

/** The check box of a task. */
export const TaskBox = ({ event }: { readonly event: Occurrence }) => (
  <input
    type="checkbox"
    aria-label={texts.done(event.title)}
    checked={event.status === 'done'}
    disabled={!isChangeable(event)}
    onChange={() => void toggle(event)}
  />
);

interface EventChipProps {
  readonly event: Occurrence;
  readonly isBar: boolean;
  /** Whether it began on an earlier day, which shows its title. */
  readonly isContinued?: boolean;
  /** Over how many days a bar is drawn. */
  readonly days?: number;
}

/** An event in one line. */
export const EventChip = ({ event, isBar, isContinued = false, days = 1 }: EventChipProps) => {
  const isTimed = !event.allDay && !isContinued;
  const name = isTimed ? `${event.title}, ${formatHours(event)}` : event.title;
  return (
    <span
      class={listClasses(event, isBar)}
      data-key={keyOf(event)}
      style={{ ...(event.color && { '--own': event.color }), ...(days > 1 && { '--over': days }) }}
    >
      {event.type === 'task' && !isBar && <TaskBox event={event} />}
      <button type="button" title={name} onClick={() => open(event)}>
        <b dir="auto">{event.title}</b>
        {isTimed && !isBar && <time dateTime={event.start}>{formatTime(event.start)}</time>}
      </button>
    </span>
  );
};
