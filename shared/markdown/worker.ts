import { parentPort } from 'node:worker_threads';
import { type ConvertOptions, convert } from './convert.ts';
import './edit-map.ts';
import { withEmoji } from './emoji/emoji.ts';

/** A conversion: source, options and maximum size of each result in UTF-8 bytes. */
export interface Job extends ConvertOptions {
  readonly markdown: string;
  readonly maxBytes: number;
  /** Also creates the HTML of share pages, with what `toPage` adds. */
  readonly withPage?: boolean;
}

/** The worker's message when ready and after each job: the HTML, or none if it is too large. */
export interface Report {
  readonly html?: string | undefined;
  readonly page?: string | undefined;
  /** CPU time of the worker since its start, in microseconds. */
  readonly cpu: number;
}

const usedCpu = (): number => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};

const report = (html?: string, page?: string): void =>
  parentPort?.postMessage({ html, page, cpu: usedCpu() } satisfies Report);

parentPort?.on('message', async ({ markdown, maxBytes, withPage, ...options }: Job) => {
  const converted = convert(markdown, maxBytes, options);
  if (!converted) return report();
  const html = await withEmoji(converted.html, maxBytes);
  if (!withPage) return report(html);
  // Loaded on first use, because only workers for shares need it.
  const { toPage } = await import('./page/to-page.ts');
  report(html, (await toPage(markdown, converted, maxBytes, usedCpu)).html);
});

report();
