import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Icon } from '../../../../browser/components/icon.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { setStatus, type Task, toTaskKey } from '../../../../browser/record/task-status.ts';
import { dateLanguage } from '../../../../browser/shell/preferences.ts';
import { may } from '../../../../browser/shell/session.ts';
import { dashboardTexts as texts } from '../../texts.ts';
import { dateIn, formatDue } from '../../when.ts';
import { NewTask } from './new-task.tsx';
import { Nothing, Section } from './section.tsx';
import { own } from './sources.ts';
import { zone } from './today.tsx';

/** The number of tasks shown at first. */
const firstTasks = 6;

const dayMs = 86_400_000;

const describeDue = (dueDate: string): { readonly text: string; readonly kind: string } => {
  const now = new Date();
  const { text, day, isOver } = formatDue(dueDate, now, zone, dateLanguage.read());
  if (isOver) return { text: texts.overdue(text), kind: 'bad' };
  if (day === dateIn(now, zone)) return { text: texts.dueDays.today, kind: 'bad' };
  const tomorrow = dateIn(new Date(now.getTime() + dayMs), zone);
  return { text: day === tomorrow ? texts.dueDays.tomorrow : texts.due(text), kind: '' };
};

/** Changes a task at once, and puts it back if the service refuses. */
const finish = async (task: Task): Promise<void> => {
  const { data } = own.tasks;
  const before = data.value ?? [];
  const key = toTaskKey(task);
  data.value = before.filter((one) => toTaskKey(one) !== key);
  document.getElementById('tasks-title')?.focus();
  try {
    await setStatus(task, 'done');
    const undo = async () => {
      await setStatus(task, task.status);
      await own.tasks.load();
    };
    toast({ text: texts.taskDone(task.title), action: { label: texts.undo, run: undo } });
  } catch (error) {
    data.value = before;
    const text = texts.notSaved(task.title, (error as Error).message);
    toast({ text, kind: 'bad', action: { label: texts.tryAgain, run: () => finish(task) } });
  }
};

const Row = ({ task }: { readonly task: Task }) => {
  const { title, status, priority, dueDate } = task;
  const due = describeDue(dueDate);
  const id = `task-${toTaskKey(task)}`;
  const notes = [texts.statuses[status], texts.priorities[priority]].filter((note) => note);
  return (
    <li class="task">
      <input
        type="checkbox"
        id={id}
        disabled={!may('calendar:update')}
        onChange={() => finish(task)}
      />
      <label class="grow" for={id} dir="auto">
        {title}
        {notes.length > 0 && <span class="tiny mute blk">{notes.join(' · ')}</span>}
      </label>
      <span class={`badge ${due.kind}`}>{due.text}</span>
    </li>
  );
};

/** The user's open tasks, to finish and to add. */
export const Tasks = () => {
  const isAdding = useSignal(false);
  const showsAll = useSignal(false);
  const addButton = useRef<HTMLButtonElement>(null);
  const close = () => {
    isAdding.value = false;
    addButton.current?.focus();
  };
  const count = own.tasks.data.value?.length;
  return (
    <Section
      id="tasks"
      title={texts.tasks}
      source={own.tasks}
      lines={3}
      beside={
        <>
          {count !== undefined && count > 0 && <span class="count">{count}</span>}
          {may('calendar:create') && (
            <button
              ref={addButton}
              type="button"
              class="btn ghost icon sm end"
              aria-label={texts.addTask}
              aria-expanded={isAdding.value}
              onClick={() => {
                isAdding.value = !isAdding.value;
              }}
            >
              <Icon name="plus" />
            </button>
          )}
        </>
      }
    >
      {(tasks) => (
        <>
          {isAdding.value && <NewTask close={close} />}
          {tasks.length === 0 ? (
            <Nothing>{texts.noTasks}</Nothing>
          ) : (
            <ul class="list">
              {(showsAll.value ? tasks : tasks.slice(0, firstTasks)).map((task) => (
                <Row key={toTaskKey(task)} task={task} />
              ))}
            </ul>
          )}
          {!showsAll.value && tasks.length > firstTasks && (
            <p class="in-card">
              <button
                type="button"
                class="btn ghost sm"
                id="all-tasks"
                onClick={() => {
                  showsAll.value = true;
                  document.getElementById('tasks-title')?.focus();
                }}
              >
                {texts.allTasks(tasks.length)}
              </button>
            </p>
          )}
        </>
      )}
    </Section>
  );
};
