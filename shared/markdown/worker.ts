import { parentPort } from 'node:worker_threads';
import { type ConvertOptions, convert } from './convert.ts';
import './edit-map.ts';

/** A conversion: source, options and maximum size of the result in UTF-8 bytes. */
export interface Job extends ConvertOptions {
  readonly markdown: string;
  readonly maxBytes: number;
}

/** The worker's message when ready and after each job: the HTML, or `undefined` if it is too large. */
export interface Report {
  readonly html?: string | undefined;
  /** CPU time of the worker since its start, in microseconds. */
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
