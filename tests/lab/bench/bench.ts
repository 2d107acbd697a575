import { bundles } from './bundles.ts';
import { consolePages } from './console.ts';
import { content } from './content.ts';
import { exportsOfData } from './exports.ts';
import { filled } from './filled.ts';
import { first } from './first.ts';
import { lists } from './lists.ts';
import { login } from './login.ts';
import { markdown } from './markdown.ts';
import { scale } from './scale.ts';
import type { Benchmark } from './support/benchmark.ts';
import { sweeps } from './sweeps.ts';
import { typing } from './typing.ts';
import { warm } from './warm.ts';

const benchmarks: Readonly<Record<string, Benchmark>> = {
  bundles,
  console: consolePages,
  content,
  exports: exportsOfData,
  filled,
  first,
  lists,
  login,
  markdown,
  scale,
  sweeps,
  typing,
  warm,
};

const describe = (of: string, { usage, summary }: Benchmark): string =>
  `npm run bench -- ${of} ${usage}\n    ${summary}\n`;

const list = (): string =>
  Object.entries(benchmarks)
    .map(([name, benchmark]) => describe(name, benchmark))
    .join('');

const run = async (benchmark: Benchmark, args: readonly string[]): Promise<void> => {
  try {
    await benchmark.run(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
};

const [name, ...args] = process.argv.slice(2);
const chosen = benchmarks[name ?? ''];
const isHelp = (text: string | undefined): boolean => text === '--help' || text === '-h';
if (name !== undefined && chosen) {
  if (args.some(isHelp)) process.stdout.write(`Usage: ${describe(name, chosen)}`);
  else await run(chosen, args);
} else if (name === undefined) {
  for (const [title, benchmark] of Object.entries(benchmarks)) {
    process.stdout.write(`\n${title}: ${benchmark.summary}\n\n`);
    await run(benchmark, []);
  }
} else {
  const isKnown = name === 'list' || isHelp(name);
  const output = isKnown ? process.stdout : process.stderr;
  output.write(`Usage: npm run bench\n    Runs all benchmarks\n${list()}`);
  if (!isKnown) process.exitCode = 1;
}
