import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { AppError } from '../runtime/errors.ts';
import { createTurns } from '../runtime/turns.ts';
import { maxResultBytes } from './limits.ts';
import type { OwnFiles } from './links-and-images/own-files.ts';
import type { Job, Report } from './worker.ts';

/** Limits of a conversion (decisions.md#markdown): UTF-8 bytes and CPU time in ms. */
export const limits = { resultBytes: maxResultBytes, cpuMs: 1_000 } as const;

/** Maximum length of all waiting sources, in UTF-16 units: 32 MB. */
const maxWaitingLength = 16 * 1024 * 1024;
/** Maximum waits in seconds, which leave time for the conversion within that of the request. */
const maxWaitSeconds = { endpoint: 5, shares: 15 } as const;
const retryAfterSeconds = 5;
/** Memory limit of a conversion, checked regularly. */
const heapBytes = 512 * 1024 * 1024;
/** V8's limit is far higher, because it ends the whole process when a thread exceeds it within one step. */
const heapLimitMb = 1_024;
const watchEveryMs = 50;
const leastPauseMs = 10;

interface IdleWorker {
  readonly worker: Worker;
  /** CPU time in ms when the worker became idle. */
  readonly cpuMs: number;
}

/** Field name of the source in error details, and maximum CPU time in ms. */
interface Limit {
  readonly field: string;
  readonly cpuMs: number;
}

/** The HTML of a share: as `toHtml` returns it, and with the extras of its page. */
export interface Rendered {
  readonly html: string;
  readonly page: string;
}

// On AWS the worker is a separate file next to its bundle, as it is here.
const workerUrl = () =>
  new URL(
    import.meta.url.endsWith('.ts') ? './worker.ts' : './markdown-worker.js',
    import.meta.url,
  );

const startWorker = async (): Promise<IdleWorker> => {
  const { Worker } = await import('node:worker_threads');
  const worker = new Worker(workerUrl(), {
    resourceLimits: { maxOldGenerationSizeMb: heapLimitMb },
  });
  worker.unref();
  const [{ cpu }] = (await once(worker, 'message')) as [Report];
  return { worker, cpuMs: cpu / 1_000 };
};

/** Throws once the worker's CPU time or memory reaches its limit, checked until the signal aborts. */
const watch = async (
  { worker, cpuMs: usedMs }: IdleWorker,
  limitMs: number,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    const [{ user, system }, heap] = await Promise.all([
      worker.cpuUsage(),
      worker.getHeapStatistics(),
    ]);
    const leftMs = usedMs + limitMs - (user + system) / 1_000;
    if (heap.used_heap_size > heapBytes) throw new RangeError('Stopped at the limit of memory');
    if (leftMs <= 0)
      throw new RangeError(`Stopped after ${Math.round(limitMs - leftMs)} ms of CPU`);
    await sleep(Math.max(Math.min(leftMs, watchEveryMs), leastPauseMs), undefined, { signal });
  }
};

/**
 * Rejects once a worker reaches a limit. Measures CPU time, because a busy machine must not fail a valid document. Most
 * conversions have ended before the first check. Returns a function that ends it.
 */
const limitWorker = (
  free: IdleWorker,
  limitMs: number,
  reject: (error: unknown) => void,
): (() => void) => {
  const ended = new AbortController();
  const timer = setTimeout(
    () =>
      void watch(free, limitMs, ended.signal).catch(
        (error) => ended.signal.aborted || reject(error),
      ),
    Math.min(limitMs, watchEveryMs),
  );
  return () => {
    clearTimeout(timer);
    ended.abort(null);
  };
};

/** Returns whether the input exceeded time, stack or heap. Other errors are internal. */
const isResourceLimitError = (error: unknown): boolean =>
  error instanceof RangeError ||
  (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY');

const tooSlow = (field: string, cpuMs: number, cause: unknown) =>
  new AppError('UNPROCESSABLE', 'The Markdown is too complex. Shorten or simplify it.', {
    cause,
    details: [{ field, message: `must be convertible within ${cpuMs} ms` }],
  });

const tooLarge = (field: string) =>
  new AppError('PAYLOAD_TOO_LARGE', 'The HTML output exceeds 4 MB. Shorten the Markdown.', {
    details: [{ field, message: 'must produce at most 4 MB of HTML' }],
  });

/** Runs a job and returns the worker's report. Terminates the worker on failure, which frees its memory. */
const runJob = async (free: IdleWorker, job: Job, limitMs: number): Promise<Report> => {
  const { worker } = free;
  const { promise, resolve, reject } = Promise.withResolvers<Report>();
  const rejectExit = () => reject(new Error('The Markdown worker exited unexpectedly'));
  worker.on('message', resolve).on('error', reject).on('exit', rejectExit);
  const endLimits = limitWorker(free, limitMs, reject);
  worker.postMessage(job);
  try {
    return await promise;
  } catch (error) {
    await worker.terminate();
    throw error;
  } finally {
    endLimits();
    worker.off('message', resolve).off('error', reject).off('exit', rejectExit);
  }
};

const tooMany = () =>
  new AppError('SERVICE_UNAVAILABLE', 'The service is busy. Try again.', {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });

/** A worker and its queue, first come, first served. */
class Lane {
  readonly #turns = createTurns(1);
  readonly #maxWaitSeconds: number;
  #waitingLength = 0;
  #idle: IdleWorker | undefined;

  constructor(maxWaitSeconds: number) {
    this.#maxWaitSeconds = maxWaitSeconds;
  }

  /** Waits for the worker. @throws AppError SERVICE_UNAVAILABLE */
  async #enter({ length }: string): Promise<void> {
    if (this.#waitingLength + length > maxWaitingLength) throw tooMany();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(tooMany()), this.#maxWaitSeconds * 1_000);
    this.#waitingLength += length;
    try {
      await this.#turns.take(late.signal);
    } finally {
      this.#waitingLength -= length;
      clearTimeout(timer);
    }
  }

  async #convertNow(job: Omit<Job, 'maxBytes'>, { field, cpuMs }: Limit): Promise<Rendered> {
    const free = this.#idle ?? (await startWorker());
    this.#idle = undefined;
    const bounded = { ...job, maxBytes: limits.resultBytes };
    const report = await runJob(free, bounded, cpuMs).catch((error) => {
      throw isResourceLimitError(error) ? tooSlow(field, cpuMs, error) : error;
    });
    this.#idle = { worker: free.worker, cpuMs: report.cpu / 1_000 };
    const { html, page = html } = report;
    if (html === undefined || page === undefined) throw tooLarge(field);
    return { html, page };
  }

  async convert(job: Omit<Job, 'maxBytes'>, limit: Limit): Promise<Rendered> {
    await this.#enter(job.markdown);
    try {
      return await this.#convertNow(job, limit);
    } finally {
      this.#turns.giveBack();
    }
  }
}

/** Public conversions do not delay those of shares where one process serves both. */
const lanes = {
  endpoint: new Lane(maxWaitSeconds.endpoint),
  shares: new Lane(maxWaitSeconds.shares),
};

/**
 * Converts Markdown to a safe HTML fragment in a worker, which is terminated at the limits.
 * @throws AppError UNPROCESSABLE beyond 1 s of CPU time; PAYLOAD_TOO_LARGE beyond 4 MB of result; SERVICE_UNAVAILABLE
 *   after 5 s of waiting, or when 32 MB wait
 */
export const toHtml = async (markdown: string): Promise<string> => {
  const limit = { field: 'markdown', cpuMs: limits.cpuMs };
  return (await lanes.endpoint.convert({ markdown }, limit)).html;
};

/**
 * Converts the Markdown of a share in one job, whose limit of CPU time covers both results. `files` are those of the share, which its
 * page refers to.
 * @throws AppError as `toHtml`; SERVICE_UNAVAILABLE only after 15 s of waiting
 */
export const render = (markdown: string, limit: Limit, files?: OwnFiles): Promise<Rendered> =>
  lanes.shares.convert({ markdown, withPage: true, files }, limit);

/** Wraps a fragment in a complete HTML document. */
export const toDocument = (fragment: string): string =>
  `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>Document</title>\n</head>\n<body>\n${fragment}\n</body>\n</html>\n`;
