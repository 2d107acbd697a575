import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { AppError } from '../../shared/errors.ts';
import type { Job, JobResult } from './worker.ts';

/** Limits of one conversion (decisions §4); bytes of UTF-8, CPU time in ms. */
export const limits = { resultBytes: 4 * 1024 * 1024, cpuMs: 1_000 } as const;

/** One conversion at a time has the CPU; those behind it wait, this many at most. */
const maxWaiting = 16;
const watchEveryMs = 50;
const heapMb = 256;

// Beside its bundle on AWS the worker is a file of its own, as it is here.
const workerUrl = () =>
  new URL(
    import.meta.url.endsWith('.ts') ? './worker.ts' : './markdown-worker.js',
    import.meta.url,
  );

let idle: Worker | undefined;
let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

const startWorker = async (): Promise<Worker> => {
  const { Worker } = await import('node:worker_threads');
  const worker = new Worker(workerUrl(), { resourceLimits: { maxOldGenerationSizeMb: heapMb } });
  worker.unref();
  await once(worker, 'message');
  return worker;
};

const tooSlow = (cause: unknown) =>
  new AppError(
    'UNPROCESSABLE',
    'This Markdown is too slow to convert: make it simpler or shorter',
    {
      cause,
      details: [{ field: 'markdown', message: `must be convertible within ${limits.cpuMs} ms` }],
    },
  );

const cpuMs = async (worker: Worker): Promise<number> => {
  const { user, system } = await worker.cpuUsage();
  return (user + system) / 1_000;
};

const runJob = async (worker: Worker, job: Job): Promise<JobResult> => {
  const before = await cpuMs(worker);
  const overtime = new AbortController();
  // CPU and not the clock: a busy machine doesn't make a good document fail.
  const watch = setInterval(async () => {
    const used = (await cpuMs(worker).catch(() => before)) - before;
    if (used > limits.cpuMs) overtime.abort();
  }, watchEveryMs);
  try {
    const answer = once(worker, 'message', { signal: overtime.signal });
    worker.postMessage(job);
    const [result] = await answer;
    return result;
  } catch (cause) {
    // Overtime, or past its heap limit: in both cases the input was too much, and the worker is done for.
    await worker.terminate();
    throw tooSlow(cause);
  } finally {
    clearInterval(watch);
  }
};

const convertNow = async (markdown: string): Promise<string> => {
  const worker = idle ?? (await startWorker());
  idle = undefined;
  const { html } = await runJob(worker, { markdown, maxBytes: limits.resultBytes });
  idle = worker;
  if (html !== undefined) return html;
  throw new AppError('PAYLOAD_TOO_LARGE', 'The HTML of this Markdown would be larger than 4 MB', {
    details: [{ field: 'markdown', message: 'must make at most 4 MB of HTML' }],
  });
};

/**
 * Markdown as an HTML fragment, safe to show, from a worker that is ended at the limits.
 * @throws AppError UNPROCESSABLE past 1 s of CPU, PAYLOAD_TOO_LARGE past 4 MB of result,
 *   SERVICE_UNAVAILABLE when too many wait
 */
export const toHtml = async (markdown: string): Promise<string> => {
  if (waiting >= maxWaiting) {
    throw new AppError('SERVICE_UNAVAILABLE', 'Too many conversions at once: try again');
  }
  waiting++;
  const mine = last.then(() => convertNow(markdown));
  last = mine.catch(() => undefined);
  return mine.finally(() => {
    waiting--;
  });
};

/** A complete HTML document around a fragment. */
export const toDocument = (fragment: string): string =>
  `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>Document</title>\n</head>\n<body>\n${fragment}\n</body>\n</html>\n`;
