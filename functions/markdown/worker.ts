import { parentPort } from 'node:worker_threads';
import { convert } from './convert.ts';

/** What the worker is asked: the source, and how many bytes of UTF-8 the result may have. */
export interface Job {
  readonly markdown: string;
  readonly maxBytes: number;
}

/** What it answers to each job, after a first message when it is ready: the HTML, or nothing where that is too large. */
export interface JobResult {
  readonly html: string | undefined;
}

parentPort?.on('message', ({ markdown, maxBytes }: Job) => {
  const html = convert(markdown);
  const result: JobResult = { html: Buffer.byteLength(html) <= maxBytes ? html : undefined };
  parentPort?.postMessage(result);
});

parentPort?.postMessage('ready');
