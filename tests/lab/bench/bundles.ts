import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import type {
  FunctionConfig,
  FunctionName,
} from '../../../infra/functions/config/function-config.ts';
import { functionConfigs } from '../../../infra/functions/config/functions.ts';
import { buildFunction } from '../../../infra/functions/function-code.ts';
import { textTable } from '../support/text-table.ts';
import { buildFloor, floorNames } from './bundles/baselines.ts';
import { buildRuntimeClient, type ColdStart, coldStart, startCpuMs } from './bundles/cold-start.ts';
import { firstRequest } from './bundles/first-requests.ts';
import { type Service, startService } from './bundles/service.ts';
import type { Benchmark } from './support/benchmark.ts';
import { machine } from './support/machine.ts';
import { median } from './support/median.ts';
import { progressBar } from './support/progress-bar.ts';

/** A cold start, and the CPU of one that reads nothing, because the signing secret is in its environment. */
interface Measured extends ColdStart {
  readonly loadCpuMs: number;
}

/** A bundle's size in KB of 1 000 bytes, and the medians of its cold starts, in ms. */
interface Weight extends Measured {
  readonly sizeKb: number;
  readonly gzipKb: number;
  readonly initKb: number;
  /** CPU until the first response. */
  readonly totalCpuMs: number;
}

interface Weighed extends Weight {
  readonly name: string;
  /** CPU of the load beyond that of the bare handler: modules are evaluated, clients and the key made. */
  readonly importCpuMs: number;
  /** CPU of what the start reads. */
  readonly readsCpuMs: number;
  /** `importCpuMs` as a multiple of the document client's. */
  readonly timesClient: number;
  /** CPU of the start, with Node and Lambda's runtime, as a multiple of the bare handler's. */
  readonly timesBare: number;
  /** CPU of start and first request as a multiple of the document client's. */
  readonly totalTimesClient: number;
}

interface Goal {
  readonly title: string;
  readonly unit: string;
  readonly limit: number;
  appliesTo(group: string): boolean;
  figure(weighed: Weighed): number;
}

const findConfig = (group: string): FunctionConfig | undefined =>
  (functionConfigs as Readonly<Record<string, FunctionConfig>>)[group];

const hasTable = (group: string): boolean => findConfig(group)?.table !== undefined;

const readsSecret = (group: string): boolean => findConfig(group)?.signingSecret === true;

const functions = [
  ...(Object.entries(functionConfigs) as [FunctionName, FunctionConfig][]),
  ['fallback', { memoryMb: 512, timeoutSeconds: 10 }] as const,
] as const;

const light = ['health', 'markdown'];

const goals: readonly Goal[] = [
  {
    title: 'What is loaded at the start of a group with the table',
    unit: ' KB',
    limit: 420,
    appliesTo: hasTable,
    figure: ({ initKb }) => initKb,
  },
  {
    title: 'CPU of the load of a group with the table, its clients and key made',
    unit: ' x document-client',
    limit: 1,
    appliesTo: hasTable,
    figure: ({ timesClient }) => timesClient,
  },
  {
    title: 'CPU of the load of health and markdown',
    unit: ' x document-client',
    limit: 0.8,
    appliesTo: (group) => light.includes(group),
    figure: ({ timesClient }) => timesClient,
  },
  {
    title: 'CPU of start and first request of a group with the table',
    unit: ' x document-client',
    limit: 1.1,
    appliesTo: hasTable,
    figure: ({ totalTimesClient }) => totalTimesClient,
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

/** Starts every bundle once in each round, so that noise affects all equally; the first round only warms up. */
const measureAll = async (
  files: ReadonlyMap<string, string>,
  runtimeClient: string,
  { environment, withSecret, token }: Service,
  rounds: number,
): Promise<Map<string, Measured[]>> => {
  const starts = new Map([...files.keys()].map((name) => [name, [] as Measured[]]));
  const step = progressBar('Starting', (rounds + 1) * files.size);
  for (let round = 0; round <= rounds; round++) {
    // Alternates the order, so that no bundle always follows the same one.
    const order = round % 2 === 0 ? [...files] : [...files].reverse();
    for (const [name, bundle] of order) {
      const started = { bundle, runtimeClient, env: environment };
      const start = await coldStart(started, firstRequest(name, token));
      const loadCpuMs = readsSecret(name)
        ? await startCpuMs({ ...started, env: withSecret })
        : start.initCpuMs;
      if (round > 0) starts.get(name)?.push({ ...start, loadCpuMs });
      step();
    }
  }
  return starts;
};

/** Bundles the baselines and every function; returns their files by name. */
const buildAll = async (folder: string): Promise<Map<string, string>> => {
  const files = new Map<string, string>();
  const step = progressBar('Bundling', floorNames.length + functions.length);
  for (const name of floorNames) {
    files.set(name, await buildFloor(name, folder));
    step();
  }
  for (const [name, needed] of functions) {
    buildFunction(name, needed, join(folder, name));
    files.set(name, join(folder, name, 'index.mjs'));
    step();
  }
  return files;
};

const figures = [
  'initCpuMs',
  'loadCpuMs',
  'initWallMs',
  'initBytes',
  'requestCpuMs',
  'requestWallMs',
] as const;

const isCode = (file: string): boolean => file.endsWith('.js') && file !== 'markdown-worker.js';

const weigh = async (file: string, starts: readonly Measured[]): Promise<Weight> => {
  const folder = dirname(file);
  const names = (await readdir(folder)).filter(isCode);
  const code = await Promise.all(names.map((name) => readFile(join(folder, name))));
  const kb = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0) / 1_000;
  const medians = Object.fromEntries(
    figures.map((figure) => [figure, median(starts.map((start) => start[figure]))]),
  ) as unknown as Measured;
  return {
    ...medians,
    sizeKb: kb(code.map(({ length }) => length)),
    gzipKb: kb(code.map((bytes) => gzipSync(bytes).length)),
    initKb: medians.initBytes / 1_000,
    totalCpuMs: median(starts.map(({ initCpuMs, requestCpuMs }) => initCpuMs + requestCpuMs)),
  };
};

const weighAll = async (
  files: ReadonlyMap<string, string>,
  starts: ReadonlyMap<string, readonly Measured[]>,
): Promise<Weighed[]> => {
  const weights = new Map<string, Weight>();
  for (const [name, file] of files) weights.set(name, await weigh(file, starts.get(name) ?? []));
  const [client, bare] = floorNames.map((name) => weights.get(name));
  const bareMs = bare?.initCpuMs ?? Number.NaN;
  const clientMs = (client?.initCpuMs ?? Number.NaN) - bareMs;
  return Array.from(weights, ([name, weight]) => ({
    name,
    ...weight,
    importCpuMs: weight.loadCpuMs - bareMs,
    readsCpuMs: weight.initCpuMs - weight.loadCpuMs,
    timesClient: (weight.loadCpuMs - bareMs) / clientMs,
    timesBare: weight.initCpuMs / bareMs,
    totalTimesClient: weight.totalCpuMs / (client?.totalCpuMs ?? Number.NaN),
  }));
};

const head = [
  'bundle',
  'all KB',
  'gzip KB',
  'at start KB',
  'load CPU ms',
  'x client',
  'reads CPU ms',
  'start CPU ms',
  'x bare',
  'start wall ms',
  'request CPU ms',
  'both CPU ms',
  'x client',
];

const toRow = (weighed: Weighed): string[] => [
  weighed.name,
  weighed.sizeKb.toFixed(0),
  weighed.gzipKb.toFixed(0),
  weighed.initKb.toFixed(0),
  weighed.importCpuMs.toFixed(1),
  weighed.timesClient.toFixed(2),
  weighed.readsCpuMs.toFixed(1),
  weighed.initCpuMs.toFixed(1),
  weighed.timesBare.toFixed(2),
  weighed.initWallMs.toFixed(0),
  weighed.requestCpuMs.toFixed(1),
  weighed.totalCpuMs.toFixed(1),
  weighed.totalTimesClient.toFixed(2),
];

const verdict = ({ title, unit, limit, appliesTo, figure }: Goal, all: readonly Weighed[]) => {
  const concerned = all.filter(({ name }) => appliesTo(name));
  const named = (some: readonly Weighed[]) =>
    some.map((weighed) => `${weighed.name} (${rounded(figure(weighed))})`).join(', ') || 'none';
  const met = concerned.filter((weighed) => figure(weighed) <= limit);
  const missed = concerned.filter((weighed) => figure(weighed) > limit);
  return `${title}, at most ${limit}${unit}\n  met by ${named(met)}\n  missed by ${named(missed)}\n`;
};

const notes = `
Of each, new processes under Lambda's runtime client for Node. Start is from the start of Node to when the function waits
for an event. Load is what that takes more than with the bare handler: modules are evaluated, clients and the key made.
Reads is what it takes more where the signing secret is read from Secrets Manager, and not from the environment. Request is
the first one, by plain HTTP to a table in memory. Both is start, with its reads, and request. Sizes are without source maps and the Markdown worker; at start is what is loaded by then.
The document client is bundled as anybody would; once more as the functions are.

`;

/**
 * Measures each function's bundle size, cold start and first request, compared with two baselines: a function that only
 * reads an item, and one that only responds.
 */
export const bundles: Benchmark = {
  summary: "Size and cold start of each function's bundle, compared with minimal bundles",
  usage: '[--rounds 20]',
  run: async (args) => {
    const rounds = readRounds(args);
    // Outside the project, because its package.json would make Node read CommonJS files as ESM.
    const folder = await mkdtemp(join(tmpdir(), 'handbill-bench-'));
    const service = await startService();
    try {
      const files = await buildAll(folder);
      const runtimeClient = await buildRuntimeClient(folder);
      const all = await weighAll(files, await measureAll(files, runtimeClient, service, rounds));
      process.stdout.write(
        [
          textTable(head, all.map(toRow)),
          `\nMedians of ${rounds} rounds; ${machine()}.`,
          notes,
          ...goals.map((goal) => verdict(goal, all)),
        ].join(''),
      );
    } finally {
      await service.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
