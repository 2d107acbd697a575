import { parentPort } from 'node:worker_threads';
import { type ConvertOptions, convert } from './convert.ts';
import './edit-map.ts';

/** What the worker is asked: the source, and how many bytes of UTF-8 the result may have. */
export interface Job extends ConvertOptions {
  readonly markdown: string;
  readonly maxBytes: number;
}

/** What it says when it is ready, and answers to each job: the HTML, or nothing where that is too large. */
export interface Report {
  readonly html?: string | undefined;
  /** The CPU time that the worker has used since its start, in microseconds. */
  readonly cpu: number;
}

const report = (html?: string): void => {
  const { user, system } = process.threadCpuUsage();
  parentPort?.postMessage({ html, cpu: user + system } satisfies Report);
};

parentPort?.on('message', async ({ markdown, maxBytes, ...options }: Job) => {
  report(await convert(markdown, maxBytes, options));
});

report();
