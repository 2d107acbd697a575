import { bundles } from './bundles.ts';
import { content } from './content.ts';
import { lists } from './lists.ts';
import { login } from './login.ts';
import { markdown } from './markdown.ts';
import { scale } from './scale.ts';
import type { Benchmark } from './support/benchmark.ts';
import { warm } from './warm.ts';

const benchmarks: Readonly<Record<string, Benchmark>> = {
  bundles,
  content,
  lists,
  login,
  markdown,
  scale,
  warm,
};

const list = (): string =>
  Object.entries(benchmarks)
    .map(([name, { usage, summary }]) => `npm run bench -- ${name} ${usage}\n    ${summary}\n`)
    .join('');

const [name, ...args] = process.argv.slice(2);
const benchmark = benchmarks[name ?? ''];
if (benchmark) {
  try {
    await benchmark.run(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
} else {
  process.stdout.write(list());
  if (name !== undefined) process.exitCode = 1;
}
