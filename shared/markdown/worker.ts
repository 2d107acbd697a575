import { parentPort } from 'node:worker_threads';
import { convert } from './convert.ts';
import './edit-map.ts';
import { withEmoji } from './emoji/emoji.ts';
import type { OwnFiles } from './links-and-images/own-files.ts';

/** A conversion: source and maximum size of each result in UTF-8 bytes. */
export interface Job {
  readonly markdown: string;
  readonly maxBytes: number;
  /** Also creates the HTML of share pages, with what `toPage` adds. */
  readonly withPage?: boolean;
  /** The files of the share whose page it is. */
  readonly files?: OwnFiles | undefined;
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

parentPort?.on('message', async ({ markdown, maxBytes, withPage, files }: Job) => {
  const converted = await convert(markdown, maxBytes);
  if (!converted) return report();
  const html = await withEmoji(converted.html, maxBytes);
  if (!withPage) return report(html);
  // Loaded on first use, because only workers for shares need it.
  const { toPage } = await import('./page/to-page.ts');
  const page = await toPage(markdown, converted, maxBytes, usedCpu, { files });
  report(page && html, page?.html);
});

report();
