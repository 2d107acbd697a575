import { computed, signal } from '@preact/signals';
import { createRowIds } from '../../../../../api/sales/import-file.ts';
import type { ApiError } from '../../../../browser/client/api-error.ts';
import { runForEach } from '../../../../browser/data/bulk.ts';
import { api } from '../../../../browser/shell/api.ts';
import { type SaleLine, toBody } from '../../import/lines.ts';
import { importing, reload } from './state.ts';

/** A sale that is sent. Sending it again has the same key and the same id, so it is recorded once. */
interface Entry {
  readonly line: SaleLine;
  readonly body: ReturnType<typeof toBody>;
  readonly key: string;
}

interface FailedEntry {
  readonly item: Entry;
  readonly error: Error;
}

/** How long the service may be busy before a line fails. ms. */
const retryMs = 60_000;

export const recorded = signal(0);
/** The number of lines that had been recorded before. */
export const repeated = signal(0);
export const failed = signal<readonly FailedEntry[]>([]);
export const left = signal<readonly Entry[]>([]);
/** Why it stopped, if nobody asked for it. */
export const stopReason = signal<string | undefined>(undefined);
export const isStopping = signal(false);
export const hasStarted = signal(false);
export const isRunning = computed(() => importing.value !== undefined);
/** Whether no line waits for another attempt. */
export const isOver = computed(
  () => !isRunning.value && left.value.length === 0 && failed.value.length === 0,
);

let stopper = new AbortController();

/** Returns whether all other lines would fail, too. */
const isOfAll = ({ status }: Partial<ApiError>): boolean =>
  status === 0 || status === 401 || status === 403;

const sendOne = async ({ body, key }: Entry): Promise<void> => {
  try {
    const { headers } = await api.send('POST /api/sales', { body, idempotencyKey: key, retryMs });
    if (headers.get('idempotency-replayed') === null) recorded.value += 1;
    else repeated.value += 1;
  } catch (error) {
    if (isOfAll(error as ApiError)) {
      stopReason.value = (error as ApiError).message;
      stopper.abort();
    }
    throw error;
  } finally {
    importing.value = importing.value && {
      ...importing.value,
      done: importing.value.done + 1,
    };
  }
};

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

const byLine = (a: Entry, b: Entry): number => a.line.line - b.line.line;

const run = async (entries: readonly Entry[]): Promise<void> => {
  stopper = new AbortController();
  stopReason.value = undefined;
  left.value = [];
  importing.value = { done: 0, count: entries.length };
  addEventListener('beforeunload', warn);
  const result = await runForEach(entries, sendOne, stopper.signal);
  removeEventListener('beforeunload', warn);
  const unsent = result.failed.filter(({ error }) => isOfAll(error)).map(({ item }) => item);
  left.value = [...unsent, ...result.left].toSorted(byLine);
  failed.value = [
    ...failed.value,
    ...result.failed.filter(({ error }) => !isOfAll(error)),
  ].toSorted((a, b) => byLine(a.item, b.item));
  isStopping.value = false;
  importing.value = undefined;
  await reload();
};

/** Sends the lines of a file that have no problems. */
export const start = async (lines: readonly SaleLine[]): Promise<void> => {
  recorded.value = 0;
  repeated.value = 0;
  failed.value = [];
  hasStarted.value = true;
  importing.value = { done: 0, count: lines.length };
  const createRowId = createRowIds();
  const entries: Entry[] = [];
  for (const line of lines) {
    const externalId = line.row.externalId ?? (await createRowId(line.row));
    entries.push({ line, body: toBody({ ...line.row, externalId }), key: crypto.randomUUID() });
  }
  await run(entries);
};

/** Sends no more lines. Those on their way arrive. */
export const stop = (): void => {
  isStopping.value = true;
  stopper.abort();
};

/** Sends those that are left. */
export const resume = (): Promise<void> => run(left.value);

/** Sends the failed lines again. */
export const retry = (): Promise<void> => {
  const entries = failed.value.map(({ item }) => item);
  failed.value = [];
  return run(entries);
};

/** Forgets what was imported, for another file. */
export const reset = (): void => {
  hasStarted.value = false;
  left.value = [];
  failed.value = [];
  stopReason.value = undefined;
};
