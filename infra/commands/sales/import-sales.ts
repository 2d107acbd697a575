import { readFile, stat } from 'node:fs/promises';
import { SingleBar } from 'cli-progress';
import { formatBytes } from '../../../shared/text/format-bytes.ts';
import {
  CommandError,
  chooseStage,
  parseCommand,
  print,
  printProblem,
  run,
  stageOptions,
  stageUsage,
} from '../command.ts';
import { readOutputs } from '../stage-outputs.ts';
import { createClient, createSender } from './sales-api.ts';
import { type FileLine, readSales } from './sales-file.ts';

/** Low enough for an account with ten concurrent Lambda executions. */
const concurrency = 8;

const maxReportedProblems = 1_000;

/** The largest file. Bytes. */
const maxBytes = 200 * 1_024 * 1_024;

const usage = `Usage: npm run import-sales -- <file.csv> [--url <address> | --stage <name> [--region <region>]] [--delimiter <character>]
Records the sales of a CSV file, and reads it as the page of sales does: the first line names the columns, of which amount and
soldAt are required. Importing a file again records nothing twice.
  --url <address>    the service; the default is HANDBILL_URL, or http://127.0.0.1:3000
  --token <token>    an API token with sales:create; the default is HANDBILL_TOKEN
  --delimiter <character>  between the columns, if it isn’t a comma, a semicolon or a tab
${stageUsage}
Times without a time zone are read as ${Intl.DateTimeFormat().resolvedOptions().timeZone} (TZ changes it). A day without a time stays that day.`;

interface Outcome {
  recorded: number;
  duplicate: number;
  failed: number;
  /** Those of the first failed lines. */
  readonly problems: { readonly line: number; readonly problem: string }[];
}

type Send = ReturnType<typeof createSender>;

const importLine = async (line: FileLine, send: Send, outcome: Outcome): Promise<void> => {
  const result = 'sale' in line ? await send(line.sale) : line;
  if (typeof result === 'string') {
    outcome[result] += 1;
    return;
  }
  outcome.failed += 1;
  if (outcome.problems.length < maxReportedProblems) {
    outcome.problems.push({ line: line.line, problem: result.problem });
  }
};

/** Sends the lines concurrently. The first error that does not belong to a line ends the import. */
const importLines = async (
  lines: AsyncGenerator<FileLine, undefined>,
  send: Send,
  outcome: Outcome,
  onLine: (line: number) => void,
): Promise<void> => {
  const work = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await lines.next();
      if (done) return;
      await importLine(value, send, outcome);
      onLine(value.line);
    }
  };
  const workers = Array.from({ length: concurrency }, work);
  try {
    await Promise.all(workers);
  } finally {
    await lines.return(undefined);
    await Promise.allSettled(workers);
  }
};

/** Shows a progress bar at a terminal, by the lines of the file. */
const startProgress = (lines: number, outcome: Outcome) => {
  if (!process.stderr.isTTY) return { step: () => undefined, stop: () => undefined };
  const bar = new SingleBar({
    format: '{bar} {percentage}%  {done} sales, {failed} failed, {eta_formatted} left',
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
  });
  const counts = () => ({ done: outcome.recorded + outcome.duplicate, failed: outcome.failed });
  bar.start(lines, 0, counts());
  return { step: (line: number) => bar.update(line, counts()), stop: () => bar.stop() };
};

/** @throws CommandError when the path is not a file that can be read */
const readWhole = async (path: string): Promise<Uint8Array<ArrayBuffer>> => {
  const fail = (cause: unknown) => {
    throw new CommandError(`Can’t read ${path}.`, { cause });
  };
  const info = await stat(path).catch(fail);
  if (!info.isFile()) throw new CommandError(`${path} is not a file.`);
  if (info.size > maxBytes) {
    throw new CommandError(`${path} is larger than ${formatBytes(maxBytes)}. Split it.`);
  }
  return await readFile(path).catch(fail);
};

/** The number of lines of a file, as its records count them. */
const countLines = (bytes: Uint8Array): number =>
  bytes.reduce((count, byte) => count + Number(byte === 10), 1);

const chooseUrl = async (values: { url?: string; stage?: string; region?: string }) => {
  if (values.url !== undefined && values.stage !== undefined) {
    throw new CommandError('Set --url or --stage, not both.');
  }
  if (values.stage !== undefined) return (await readOutputs(chooseStage(values))).ServiceUrl;
  return values.url ?? process.env['HANDBILL_URL'] ?? 'http://127.0.0.1:3000';
};

const formatCount = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

const printReport = ({ recorded, duplicate, failed, problems }: Outcome): void => {
  for (const { line, problem } of problems.toSorted((a, b) => a.line - b.line)) {
    printProblem(`line ${line}: ${problem}`);
  }
  if (failed > problems.length) process.stderr.write(`and ${failed - problems.length} more\n`);
  const skipped =
    duplicate > 0 ? `, ${formatCount(duplicate, 'duplicate', 'duplicates')} skipped` : '';
  print(`${formatCount(recorded, 'sale', 'sales')} recorded${skipped}, ${failed} failed.`);
};

/**
 * Runs `npm run import-sales -- <file.csv> [--url <address> | --stage <name> [--region <region>]] [--token <token>]
 * [--delimiter <character>]`: records the sales of a CSV file through the API of a local or deployed service. The API token
 * needs `sales:create`. Importing a file again skips its recorded sales.
 */
export const importSales = async (
  args: readonly string[],
  pause?: (ms: number) => Promise<unknown>,
): Promise<void> => {
  const { values, positionals } = parseCommand(usage, {
    args,
    options: {
      ...stageOptions,
      url: { type: 'string' },
      token: { type: 'string' },
      delimiter: { type: 'string' },
    },
    allowPositionals: true,
  });
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0) throw new CommandError(usage);
  if (values.delimiter !== undefined && !/^[^"\r\n]$/.test(values.delimiter)) {
    throw new CommandError('Set --delimiter to one character, such as ";".');
  }
  const token = values.token ?? process.env['HANDBILL_TOKEN'];
  if (!token) throw new CommandError('Set HANDBILL_TOKEN to an API token with sales:create.');
  const url = createClient(await chooseUrl(values));
  const bytes = await readWhole(path);
  const outcome: Outcome = { recorded: 0, duplicate: 0, failed: 0, problems: [] };
  const progress = startProgress(countLines(bytes), outcome);
  try {
    const lines = readSales(bytes, values.delimiter);
    await importLines(lines, createSender(url, token, pause), outcome, progress.step);
  } finally {
    progress.stop();
    printReport(outcome);
  }
  if (outcome.failed > 0) {
    throw new CommandError('Fix the failed lines and import the file again.');
  }
};

if (import.meta.main) await run(importSales);
