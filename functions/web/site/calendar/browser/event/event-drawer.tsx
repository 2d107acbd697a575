import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { Button } from '../../../../browser/components/button.tsx';
import { Drawer } from '../../../../browser/components/drawer.tsx';
import { lazily } from '../../../../browser/components/lazily.tsx';
import { Menu, type MenuItem } from '../../../../browser/components/menu.tsx';
import { Failure, Notice } from '../../../../browser/components/notice.tsx';
import { Skeleton } from '../../../../browser/components/skeleton.tsx';
import { createSource } from '../../../../browser/data/source.ts';
import { api } from '../../../../browser/shell/api.ts';
import { may, signedIn } from '../../../../browser/shell/session.ts';
import { close, events, showTime } from '../parts/state.ts';
import { Answer } from './answer.tsx';
import { Facts } from './facts.tsx';
import { openEvent } from './open.ts';
import { type CalendarEvent, getOccurrence, type OccurrenceFields, records } from './record.ts';
import { removeAll, removeOccurrence } from './removal.ts';
import { askScope, type Scope } from './scope.tsx';
import { TaskButton } from './task-button.tsx';
import { eventTexts as texts } from './texts.ts';

const EditEvent = lazily(async () => (await import('./edit-event.tsx')).EditEvent);

interface ShownProps {
  readonly event: Signal<CalendarEvent | undefined>;
  /** The `occurrenceStart` of the shown occurrence. */
  readonly start: string | undefined;
  readonly shown: OccurrenceFields;
  readonly edit: (scope: Scope) => void;
}

const listActions = (event: CalendarEvent, start: string | undefined): readonly MenuItem[] => {
  const isRecurring = event.rrule !== null;
  const items: (MenuItem | false)[] = [
    isRecurring &&
      start !== undefined && {
        label: texts.showAll,
        icon: 'again',
        run: () => openEvent({ id: event.id }),
      },
    start !== undefined &&
      may('calendar:update') && {
        label: texts.deleteThis,
        icon: 'trash',
        isBad: true,
        startsGroup: true,
        run: () => removeOccurrence(event, start),
      },
    may('calendar:delete') && {
      label: isRecurring ? texts.deleteAll : texts.delete,
      icon: 'trash',
      isBad: true,
      startsGroup: start === undefined,
      run: () => removeAll(event),
    },
  ];
  return items.filter((item) => item !== false);
};

const Shown = ({ event: source, start, shown, edit }: ShownProps) => {
  const event = source.value;
  if (!event) return null;
  const isMine = event.owner_id === signedIn?.user.id;
  const isInvited = event.attendees.some(({ id }) => id === signedIn?.user.id);
  const isTask = event.type === 'task' && isMine && may('calendar:update');
  const startEditing = async () => {
    if (start === undefined) return edit('all');
    const scope = await askScope({
      title: texts.editTitle(shown.title),
      action: texts.edit,
      event: { ...event, ...shown },
      occurrenceStart: start,
    });
    if (scope) edit(scope);
  };
  const actions = isMine ? listActions(event, start) : [];
  return (
    <Drawer
      title={texts.types[event.type]}
      onClose={close}
      actions={
        <>
          {isMine && may('calendar:update') && (
            <Button kind="ghost" size="sm" icon="pen" label={texts.edit} onClick={startEditing} />
          )}
          {actions.length > 0 && <Menu label={texts.more} items={actions} />}
        </>
      }
      footer={
        isInvited ? (
          <Answer source={source} start={start} shown={shown} />
        ) : (
          isTask && <TaskButton source={source} start={start} status={shown.status} />
        )
      }
    >
      <Facts event={{ ...event, ...shown }} isFirst={event.rrule !== null && start === undefined} />
    </Drawer>
  );
};

interface EventDrawerProps {
  readonly id: number;
  readonly start: string | undefined;
}

/** Shows an event, or the occurrence of it that the rule starts at `start`, beside the calendar. */
export const EventDrawer = ({ id, start: asked }: EventDrawerProps) => {
  const source = useMemo(
    () =>
      createSource<CalendarEvent>(() =>
        api.call('GET /api/calendar/events/{id}', { params: { id } }),
      ),
    [],
  );
  const editing = useSignal<Scope | undefined>(undefined);
  const listed = events.data.value?.find((one) => one.id === id)?.version ?? 0;
  const event = source.data.value;
  // A change from the calendar is shown here, too.
  useEffect(() => {
    if (source.data.value && listed <= source.data.value.version) return;
    const saved = records.find(id);
    if (saved && saved.version >= listed) source.data.value = saved;
    else void source.load();
  }, [listed]);
  useEffect(() => {
    if (event) showTime(asked ?? event.start);
  }, [event === undefined]);
  const failure = source.failure.value;
  if (!event) {
    return (
      <Drawer title={texts.event} onClose={close}>
        {failure ? <Failure error={failure} again={source.load} /> : <Skeleton lines={6} />}
      </Drawer>
    );
  }
  const start = event.rrule === null ? undefined : asked;
  const shown = start === undefined ? event : getOccurrence(event, start);
  if (!shown) {
    const showAll = (
      <Button size="sm" onClick={() => openEvent({ id })}>
        {texts.showAll}
      </Button>
    );
    return (
      <Drawer title={texts.event} onClose={close}>
        <Notice kind="warn" action={showAll}>
          {texts.noOccurrence}
        </Notice>
      </Drawer>
    );
  }
  const stop = () => {
    editing.value = undefined;
  };
  if (editing.value) {
    const scoped = editing.value === 'this' && start !== undefined ? start : undefined;
    return <EditEvent source={source.data} start={scoped} onDone={stop} />;
  }
  return (
    <Shown
      event={source.data}
      start={start}
      shown={shown}
      edit={(scope) => {
        editing.value = scope;
      }}
    />
  );
};
