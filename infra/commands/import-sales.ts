import { createReadStream, type ReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { SingleBar } from 'cli-progress';
import { CommandError, chooseStage, parseCommand, print, run, stageOptions } from './command.ts';
import { createClient, createSender } from './sales-api.ts';
import { type FileLine, readSales } from './sales-file.ts';
import { readOutputs } from './stage-outputs.ts';

/** So many sales are on their way at once: what a service with few functions at a time takes from one client. */
const atOnce = 8;

/** So many problems are told. */
const maxTold = 1_000;

const usage =
  'Say what: npm run import-sales -- <file.csv> [--url <address> | --stage <name>] [--delimiter ";"]';

/** What became of the lines of a file. */
interface Outcome {
  recorded: number;
  repeated: number;
  failed: number;
  /** Of the first lines that failed. */
  readonly problems: { readonly line: number; readonly problem: string }[];
}

type Send = ReturnType<typeof createSender>;

const importLine = async (line: FileLine, send: Send, outcome: Outcome): Promise<void> => {
  const sent = 'sale' in line ? await send(line.sale) : line;
  if (typeof sent === 'string') {
    outcome[sent] += 1;
    return;
  }
  outcome.failed += 1;
  if (outcome.problems.length < maxTold) {
    outcome.problems.push({ line: line.line, problem: sent.problem });
  }
};

/** Sends each line, several at once; the first failure that is not a line's ends all. */
const importLines = async (
  lines: AsyncGenerator<FileLine>,
  send: Send,
  outcome: Outcome,
  onLine: () => void,
): Promise<void> => {
  const work = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await lines.next();
      if (done) return;
      await importLine(value, send, outcome);
      onLine();
    }
  };
  const workers = Array.from({ length: atOnce }, work);
  try {
    await Promise.all(workers);
  } finally {
    await lines.return(undefined);
    await Promise.allSettled(workers);
  }
};

/** A bar at a terminal, by how much of the file is read. */
const startProgress = (file: ReadStream, size: number, outcome: Outcome) => {
  if (!process.stderr.isTTY) return { step: () => undefined, stop: () => undefined };
  const bar = new SingleBar({
    format: '{bar} {percentage}%  {done} sales, {failed} failed, {eta_formatted} left',
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
  });
  const counts = () => ({ done: outcome.recorded + outcome.repeated, failed: outcome.failed });
  bar.start(size, 0, counts());
  return { step: () => bar.update(file.bytesRead, counts()), stop: () => bar.stop() };
};

/** @throws CommandError when it is no file that can be read */
const openFile = async (path: string): Promise<{ file: ReadStream; size: number }> => {
  const handle = await open(path).catch((cause) => {
    throw new CommandError(`${path} can not be read.`, { cause });
  });
  const stat = await handle.stat();
  if (!stat.isFile()) {
    await handle.close();
    throw new CommandError(`${path} is no file.`);
  }
  return { file: createReadStream(path, { fd: handle, encoding: 'utf8' }), size: stat.size };
};

const chooseUrl = async (values: { url?: string; stage?: string; region?: string }) => {
  if (values.url !== undefined && values.stage !== undefined) {
    throw new CommandError('Set --url or --stage, not both.');
  }
  if (values.stage !== undefined) return (await readOutputs(chooseStage(values))).ServiceUrl;
  return values.url ?? process.env['HANDBILL_URL'] ?? 'http://127.0.0.1:3000';
};

const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

const report = ({ recorded, repeated, failed, problems }: Outcome): void => {
  for (const { line, problem } of problems.toSorted((a, b) => a.line - b.line)) {
    process.stderr.write(`line ${line}: ${problem}\n`);
  }
  if (failed > problems.length) process.stderr.write(`and ${failed - problems.length} more\n`);
  const before = repeated > 0 ? `, ${repeated} were there before` : '';
  print(`${counted(recorded, 'sale', 'sales')} recorded${before}, ${failed} failed.`);
};

/**
 * `npm run import-sales -- <file.csv> [--url <address> | --stage <name> [--region <region>]] [--token <token>]
 * [--delimiter <character>]`: records the sales of a CSV file through the API of a service, local or deployed, with an API
 * token that has `sales:create`. The same file again records nothing twice.
 */
export const importSales = async (
  args: readonly string[],
  pause?: (ms: number) => Promise<unknown>,
): Promise<void> => {
  const { values, positionals } = parseCommand({
    args,
    options: {
      ...stageOptions,
      url: { type: 'string' },
      token: { type: 'string' },
      delimiter: { type: 'string', default: ',' },
    },
    allowPositionals: true,
  });
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0) throw new CommandError(usage);
  if (values.delimiter.length !== 1 || /["\r\n]/.test(values.delimiter)) {
    throw new CommandError('Set --delimiter to one character, such as ";".');
  }
  const token = values.token ?? process.env['HANDBILL_TOKEN'];
  if (!token) throw new CommandError('Set HANDBILL_TOKEN to an API token with sales:create.');
  const url = createClient(await chooseUrl(values));
  const { file, size } = await openFile(path);
  const outcome: Outcome = { recorded: 0, repeated: 0, failed: 0, problems: [] };
  const progress = startProgress(file, size, outcome);
  try {
    const lines = readSales(file, values.delimiter);
    await importLines(lines, createSender(url, token, pause), outcome, progress.step);
  } finally {
    progress.stop();
    file.destroy();
    report(outcome);
  }
  if (outcome.failed > 0) {
    throw new CommandError('Put the lines that failed right, and import the file again.');
  }
};

if (import.meta.main) await run(importSales);
