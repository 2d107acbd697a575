import { parseArgs } from 'node:util';
import MarkdownIt from 'markdown-it';
import { marked } from 'marked';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { render, toHtml } from '../../../shared/markdown/markdown.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { pathological } from '../../support/markdown/pathological.ts';
import { textTable } from '../support/text-table.ts';
import { documentOf } from './markdown/documents.ts';
import type { Benchmark } from './support/benchmark.ts';
import { machine } from './support/machine.ts';
import { median } from './support/median.ts';
import { progressBar } from './support/progress-bar.ts';

const kb = 1_024;
/** Sizes in KB, without and with raw HTML. */
const documents = [
  { size: 1, hasHtml: false },
  { size: 50, hasHtml: false },
  { size: 250, hasHtml: false },
  { size: 250, hasHtml: true },
] as const;
const trapSizes = [2, 16, 64, 256];

/** Time in ms: wall time, and CPU of all threads. */
interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

const measure = async <T>(work: () => T | Promise<T>): Promise<Cost & { readonly result: T }> => {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const result = await work();
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { result, wallMs, cpuMs: (user + system) / 1_000 };
};

/** Returns the status of the endpoint's response, and the CPU of the thread if the conversion was stopped. */
const answerTo = async (markdown: string): Promise<{ status: number; stoppedMs?: number }> => {
  try {
    await toHtml(markdown);
    return { status: 200 };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const stopped = /after (\d+) ms of CPU/.exec(String(error.cause));
    return { status: error.status, ...(stopped && { stoppedMs: Number(stopped[1]) }) };
  }
};

const options = { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] };
const markdownIt = new MarkdownIt();

const converters: Readonly<Record<string, (markdown: string) => string | Promise<string>>> = {
  'micromark + GFM': (markdown) => micromark(markdown, options),
  'the endpoint': (markdown) => toHtml(markdown),
  marked: (markdown) => marked(markdown),
  'markdown-it': (markdown) => markdownIt.render(markdown),
};

/** Alternates between the converters, so that noise affects all equally; the first rounds only warm up. */
const compare = async (
  sizeKb: number,
  hasHtml: boolean,
  rounds: number,
): Promise<Map<string, Cost[]>> => {
  const markdown = documentOf(sizeKb * kb, hasHtml);
  const costs = new Map(Object.keys(converters).map((name) => [name, [] as Cost[]]));
  // Small documents need many conversions until the code is compiled.
  const perRound = sizeKb < 10 ? 20 : 1;
  const step = progressBar(`${sizeKb} KB`, rounds + 2);
  for (let round = -2; round < rounds; round++) {
    const order = Object.entries(converters);
    for (const [name, convert] of round % 2 === 0 ? order : order.reverse()) {
      const { wallMs, cpuMs } = await measure(async () => {
        for (let time = 0; time < perRound; time++) await convert(markdown);
      });
      if (round >= 0) {
        costs.get(name)?.push({ wallMs: wallMs / perRound, cpuMs: cpuMs / perRound });
      }
    }
    step();
  }
  return costs;
};

const reportSpeed = async (rounds: number): Promise<string> => {
  const rows: string[][] = [];
  for (const { size, hasHtml } of documents) {
    const costs = await compare(size, hasHtml, rounds);
    const medians = Array.from(costs, ([name, samples]) => ({
      name,
      wallMs: median(samples.map(({ wallMs }) => wallMs)),
      cpuMs: median(samples.map(({ cpuMs }) => cpuMs)),
    }));
    const bare = medians[0];
    for (const { name, wallMs, cpuMs } of medians) {
      rows.push([
        name,
        `${size} KB${hasHtml ? ', HTML' : ''}`,
        cpuMs.toFixed(2),
        (cpuMs / (bare?.cpuMs ?? 0)).toFixed(2),
        wallMs.toFixed(2),
        (wallMs / (bare?.wallMs ?? 0)).toFixed(2),
      ]);
    }
  }
  return textTable(['converter', 'document', 'CPU ms', 'x bare', 'wall ms', 'x bare'], rows);
};

const reportFirst = async (): Promise<string> => {
  const code = '```js\nlet a;\n```';
  const limit = { field: 'content', cpuMs: 1_000 };
  const times: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['first', () => toHtml('# Hi')],
    ['second', () => toHtml('# Hi')],
    ['first of a share', () => render(code, limit)],
    ['second of a share', () => render(code, limit)],
    ['first with raw HTML', () => toHtml('<b>Hi</b>')],
    ['second with raw HTML', () => toHtml('<b>Hi</b>')],
  ];
  const rows: string[][] = [];
  for (const [name, convert] of times) {
    const { wallMs, cpuMs } = await measure(convert);
    rows.push([name, cpuMs.toFixed(1), wallMs.toFixed(1)]);
  }
  return textTable(['conversion', 'CPU ms', 'wall ms'], rows);
};

const reportTraps = async (): Promise<string> => {
  const step = progressBar('Traps', Object.keys(pathological).length * trapSizes.length);
  const rows: string[][] = [];
  for (const [name, make] of Object.entries(pathological)) {
    const row = [name];
    for (const size of trapSizes) {
      const { result, cpuMs } = await measure(() => answerTo(make(size * kb)));
      row.push(`${result.status} ${(result.stoppedMs ?? cpuMs).toFixed(0)}`);
      step();
    }
    rows.push(row);
  }
  return textTable(['trap', ...trapSizes.map((size) => `${size} KB`)], rows);
};

/** Converts pathological inputs, each followed by an ordinary document, and reports the memory of the process. */
const reportMemory = async (requests: number): Promise<string> => {
  const makers = Object.values(pathological);
  const note = documentOf(kb);
  const statuses = new Map<number, number>();
  const rows: string[][] = [];
  const stepSize = Math.max(1, Math.floor(requests / 5));
  const step = progressBar('Memory', requests);
  let served = 0;
  for (let at = 1; at <= requests; at++) {
    const { status } = await answerTo(makers[at % makers.length]?.(64 * kb) ?? '');
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if ((await answerTo(note)).status === 200) served++;
    if (at % stepSize === 0) {
      const { rss } = process.memoryUsage();
      rows.push([String(at), String(served), (rss / 1e6).toFixed(0)]);
    }
    step();
  }
  const tally = [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ');
  return `${textTable(['traps of 64 KB', 'served in between', 'RSS MB'], rows)}Answers: ${tally}\n`;
};

/** Compares the cost of converters, and measures pathological inputs and memory after them. */
export const markdown: Benchmark = {
  summary: 'Markdown conversion compared with other converters, and pathological inputs',
  usage: '[--rounds 20] [--requests 200]',
  run: async (args) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        rounds: { type: 'string', default: '20' },
        requests: { type: 'string', default: '200' },
      },
    });
    const [rounds, requests] = [Number(values.rounds), Number(values.requests)];
    if (!(rounds >= 1 && requests >= 1))
      throw new Error('--rounds and --requests want numbers from 1');
    const write = (title: string, report: string) =>
      process.stdout.write(`${title}\n\n${report}\n`);
    write('What a first conversion costs', await reportFirst());
    write(`Medians of ${rounds} rounds; CPU is of all threads`, await reportSpeed(rounds));
    write('Traps: status and CPU ms; of those stopped (422), of their thread', await reportTraps());
    write('Memory', await reportMemory(requests));
    process.stdout.write(`${machine()}.\n`);
  },
};
