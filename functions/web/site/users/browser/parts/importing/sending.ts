import { computed, signal } from '@preact/signals';
import type { Data } from '../../../../../browser/client/endpoints.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { toBatches, type UserLine } from '../../../import/lines.ts';
import { isMailOn } from '../mail.ts';
import { importing, list } from '../state.ts';

type Outcome = Data<'POST /api/users/import'>['lines'][number];

/** How many users a request creates, so that the progress moves. */
const createdAtOnce = 25;

/** What became of the lines that were sent. */
export const sent = signal<readonly Outcome[]>([]);
export const left = signal<readonly UserLine[]>([]);
/** Why it stopped, if nobody asked for it. */
export const stopReason = signal<string | undefined>(undefined);
export const isStopping = signal(false);
export const hasStarted = signal(false);
export const isRunning = computed(() => importing.value !== undefined);
/** Whether no line waits for another attempt. */
export const isOver = computed(() => !isRunning.value && left.value.length === 0);

const of = (result: Outcome['result']) => (): readonly Outcome[] =>
  sent.value.filter((one) => one.result === result);

export const created = computed(of('created'));
export const existed = computed(of('exists'));
export const failed = computed(of('invalid'));

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

const send = async (batch: readonly UserLine[]): Promise<readonly UserLine[]> => {
  const { lines } = await api.call('POST /api/users/import', {
    body: { users: batch.map(({ line, row }) => ({ line, ...row })) },
    // A repetition would find users whose links were lost.
    isRepeatable: isMailOn,
    retryMs: 60_000,
  });
  sent.value = [...sent.value, ...lines.filter(({ result }) => result !== 'left')];
  const unsent = new Set(lines.flatMap(({ line, result }) => (result === 'left' ? line : [])));
  return batch.filter(({ line }) => unsent.has(line));
};

const run = async (lines: readonly UserLine[]): Promise<void> => {
  const unsent: UserLine[] = [];
  stopReason.value = undefined;
  left.value = [];
  let done = 0;
  importing.value = { done, count: lines.length };
  addEventListener('beforeunload', warn);
  for (const batch of toBatches(lines, createdAtOnce)) {
    if (isStopping.value || stopReason.value !== undefined) {
      unsent.push(...batch);
      continue;
    }
    try {
      unsent.push(...(await send(batch)));
    } catch (error) {
      stopReason.value = (error as Error).message;
      unsent.push(...batch);
    }
    done += batch.length;
    importing.value = { done, count: lines.length };
  }
  removeEventListener('beforeunload', warn);
  left.value = unsent;
  isStopping.value = false;
  importing.value = undefined;
  await list.load();
};

/** Creates the users of these lines. */
export const start = async (lines: readonly UserLine[]): Promise<void> => {
  sent.value = [];
  hasStarted.value = true;
  await run(lines);
};

/** Sends no more lines. Those on their way arrive. */
export const stop = (): void => {
  isStopping.value = true;
};

/** Sends those that are left. */
export const resume = (): Promise<void> => run(left.value);

/** Forgets what was imported, for another file. */
export const reset = (): void => {
  hasStarted.value = false;
  sent.value = [];
  left.value = [];
  stopReason.value = undefined;
};
