import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { type Needs, needs } from '../../infra/needs.ts';
import { buildFloor, floorNames } from './bundles/floors.ts';
import { type LoadCost, measureLoad } from './bundles/load-cost.ts';
import { synthesise } from './bundles/synthesis.ts';
import type { Benchmark } from './support/benchmark.ts';
import { machine } from './support/machine.ts';
import { median } from './support/median.ts';
import { progressBar } from './support/progress-bar.ts';
import { textTable } from './support/text-table.ts';

/** A bundle's size in KB of 1 000 bytes, and the medians of what it costs to load, in ms. */
interface Weight extends LoadCost {
  readonly sizeKb: number;
  readonly gzipKb: number;
}

interface Weighed extends Weight {
  readonly name: string;
  /** How often its import costs that of the document client. */
  readonly timesClient: number;
  /** How often its whole process costs that of the bare handler, whose import alone is too small to divide by. */
  readonly timesBare: number;
}

interface Goal {
  readonly title: string;
  readonly unit: string;
  readonly limit: number;
  appliesTo(group: string): boolean;
  figure(weighed: Weighed): number;
}

const hasTable = (group: string): boolean =>
  (needs as Readonly<Record<string, Needs>>)[group]?.table !== undefined;

const light = ['health', 'markdown'];

const goals: readonly Goal[] = [
  {
    title: 'Size of a group with the table',
    unit: ' KB',
    limit: 500,
    appliesTo: hasTable,
    figure: ({ sizeKb }) => sizeKb,
  },
  {
    title: 'Import CPU of a group with the table',
    unit: ' x document-client',
    limit: 1.25,
    appliesTo: hasTable,
    figure: ({ timesClient }) => timesClient,
  },
  {
    title: 'Process CPU of health and markdown',
    unit: ' x bare-handler',
    limit: 1.5,
    appliesTo: (group) => light.includes(group),
    figure: ({ timesBare }) => timesBare,
  },
];

const rounded = (value: number): string => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);

const readRounds = (args: readonly string[]): number => {
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: { type: 'string', default: '20' } },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new Error('--rounds wants a whole number from 1');
  }
  return rounds;
};

/** Loads every bundle once in each round, so that noise hits all alike; the first round only warms up. */
const measureAll = async (
  files: ReadonlyMap<string, string>,
  rounds: number,
): Promise<Map<string, LoadCost[]>> => {
  const costs = new Map([...files.keys()].map((name) => [name, [] as LoadCost[]]));
  const step = progressBar('Loading', (rounds + 1) * files.size);
  for (let round = 0; round <= rounds; round++) {
    // To and fro: nobody always follows the same neighbour.
    const order = round % 2 === 0 ? [...files] : [...files].reverse();
    for (const [name, file] of order) {
      const cost = await measureLoad(file);
      if (round > 0) costs.get(name)?.push(cost);
      step();
    }
  }
  return costs;
};

const weigh = async (file: string, costs: readonly LoadCost[]): Promise<Weight> => {
  const code = await readFile(file);
  return {
    sizeKb: code.length / 1_000,
    gzipKb: gzipSync(code).length / 1_000,
    importCpuMs: median(costs.map(({ importCpuMs }) => importCpuMs)),
    importWallMs: median(costs.map(({ importWallMs }) => importWallMs)),
    processCpuMs: median(costs.map(({ processCpuMs }) => processCpuMs)),
  };
};

const weighAll = async (
  files: ReadonlyMap<string, string>,
  costs: ReadonlyMap<string, readonly LoadCost[]>,
): Promise<Weighed[]> => {
  const weights = new Map<string, Weight>();
  for (const [name, file] of files) weights.set(name, await weigh(file, costs.get(name) ?? []));
  const [client, bare] = floorNames.map((name) => weights.get(name));
  return Array.from(weights, ([name, weight]) => ({
    name,
    ...weight,
    timesClient: weight.importCpuMs / (client?.importCpuMs ?? Number.NaN),
    timesBare: weight.processCpuMs / (bare?.processCpuMs ?? Number.NaN),
  }));
};

const head = [
  'bundle',
  'size KB',
  'gzip KB',
  'import CPU ms',
  'x document-client',
  'process CPU ms',
  'x bare-handler',
  'import wall ms',
];

const toRow = (weighed: Weighed): string[] => [
  weighed.name,
  weighed.sizeKb.toFixed(1),
  weighed.gzipKb.toFixed(1),
  weighed.importCpuMs.toFixed(1),
  weighed.timesClient.toFixed(2),
  weighed.processCpuMs.toFixed(1),
  weighed.timesBare.toFixed(2),
  weighed.importWallMs.toFixed(1),
];

const verdict = ({ title, unit, limit, appliesTo, figure }: Goal, all: readonly Weighed[]) => {
  const concerned = all.filter(({ name }) => appliesTo(name));
  const named = (some: readonly Weighed[]) =>
    some.map((weighed) => `${weighed.name} (${rounded(figure(weighed))})`).join(', ') || 'none';
  const met = concerned.filter((weighed) => figure(weighed) <= limit);
  const missed = concerned.filter((weighed) => figure(weighed) > limit);
  return `${title}, at most ${limit}${unit}\n  met by ${named(met)}\n  missed by ${named(missed)}\n`;
};

/**
 * The size of each function's bundle and what it costs to load, beside two floors: a function that does nothing but
 * read an item, and one that only answers.
 */
export const bundles: Benchmark = {
  summary: "Size and start-up CPU of each function's bundle, against the least that is possible",
  usage: '[--rounds 20]',
  run: async (args) => {
    const rounds = readRounds(args);
    // Outside the project, whose package.json would make CommonJS files be read as ESM.
    const folder = await mkdtemp(join(tmpdir(), 'handbill-bench-'));
    try {
      process.stderr.write('Synthesising the stack\n');
      const files = new Map<string, string>();
      for (const name of floorNames)
        files.set(name, await buildFloor(name, join(folder, 'floors')));
      for (const [name, file] of await synthesise(join(folder, 'stack'))) files.set(name, file);
      const all = await weighAll(files, await measureAll(files, rounds));
      process.stdout.write(
        [
          textTable(head, all.map(toRow)),
          `\nMedians of ${rounds} new processes each; ${machine()}.\n`,
          'Size is what is loaded at start: neither source maps nor the Markdown worker. Import is `require` of the\n',
          'bundle, in which no client is made; process is all of Node with it.\n\n',
          ...goals.map((goal) => verdict(goal, all)),
        ].join(''),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
