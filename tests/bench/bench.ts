import { bundles } from './bundles.ts';
import { consolePages } from './console.ts';
import { content } from './content.ts';
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

const list = (): string =>
  Object.entries(benchmarks)
    .map(([name, { usage, summary }]) => `npm run bench -- ${name} ${usage}\n    ${summary}\n`)
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
if (chosen) {
  await run(chosen, args);
} else if (name === undefined) {
  for (const [title, benchmark] of Object.entries(benchmarks)) {
    process.stdout.write(`\n${title}: ${benchmark.summary}\n\n`);
    await run(benchmark, []);
  }
} else {
  process.stdout.write(`npm run bench\n    Runs all benchmarks\n${list()}`);
  if (name !== 'list') process.exitCode = 1;
}
