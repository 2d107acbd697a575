import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { api } from '../../../../browser/shell/api.ts';
import { guardWork } from '../../../../browser/shell/unsaved.ts';
import { dashboardTexts as texts } from '../../texts.ts';
import { dateIn } from '../../when.ts';
import { own } from './sources.ts';
import { zone } from './today.tsx';

const dayMs = 86_400_000;

/** Creates an all-day task. Its end is exclusive: the day after the one it is due on. */
const create = async (title: string, due: string): Promise<void> => {
  const end = new Date(Date.parse(due) + dayMs).toISOString().slice(0, 10);
  await api.call('POST /api/calendar/events', {
    body: { title, type: 'task', start: due, end, allDay: true, timezone: zone },
  });
};

/** The form of a new task. */
export const NewTask = ({ close }: { close(): void }) => {
  const error = useSignal('');
  const isBusy = useSignal(false);
  const title = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => title.current?.focus(), []);
  useEffect(
    () =>
      guardWork({
        getName: () => texts.theNewTask,
        isChanged: () => title.current?.value.trim() !== '',
        discard: close,
      }),
    [],
  );
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy.value) return;
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const name = String(fields.get('title')).trim();
    if (name === '') {
      error.value = texts.titleRequired;
      title.current?.focus();
      return;
    }
    isBusy.value = true;
    error.value = '';
    try {
      await create(name, String(fields.get('due')));
      await own.tasks.load();
      close();
    } catch (failure) {
      error.value = (failure as Error).message;
      isBusy.value = false;
    }
  };
  return (
    <form class="in-card new-task" noValidate onSubmit={submit}>
      <div class="field">
        <label for="task-title">{texts.taskTitle}</label>
        <input
          ref={title}
          class="in"
          id="task-title"
          name="title"
          maxLength={200}
          autocomplete="off"
          aria-invalid={error.value !== ''}
          aria-describedby="task-error"
        />
        <p class="err" id="task-error" role="alert">
          {error}
        </p>
      </div>
      <div class="field">
        <label for="task-due">{texts.taskDue}</label>
        <input
          class="in"
          id="task-due"
          name="due"
          type="date"
          required
          defaultValue={dateIn(new Date(), zone)}
        />
      </div>
      <div class="row">
        <button type="submit" class="btn primary sm" aria-busy={isBusy.value}>
          {texts.add}
        </button>
        <button type="button" class="btn ghost sm" onClick={close}>
          {texts.cancel}
        </button>
      </div>
    </form>
  );
};
