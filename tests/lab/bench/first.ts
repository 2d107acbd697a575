import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { functionConfigs } from '../../../infra/functions/config/functions.ts';
import * as own from '../../../infra/functions/function-code.ts';
import { textTable } from '../support/text-table.ts';
import { buildFloor } from './bundles/baselines.ts';
import { buildRuntimeClient, coldStart } from './bundles/cold-start.ts';
import { firstRequest } from './bundles/first-requests.ts';
import { startService } from './bundles/service.ts';
import { createThrottle } from './bundles/throttle.ts';
import type { Benchmark } from './support/benchmark.ts';
import { machine } from './support/machine.ts';
import { median } from './support/median.ts';
import { progressBar } from './support/progress-bar.ts';

/** What a function of 512 MB has of a core after its start: https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
const share = 512 / 1_769;

const goal = 0.5;

const groups = ['auth', 'users', 'documents', 'files', 'share', 'share-page', 'site'] as const;

const root = join(import.meta.dirname, '../../..');

/** How a group is bundled: its file by the name of the variant. */
type Variants = Readonly<Record<string, string>>;

/** Bundles a group so that the first request does everything, also the import. */
const buildLazily = async (bundle: string, folder: string): Promise<string> => {
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'index.js'),
    `exports.handler = async (...args) => (await import(${JSON.stringify(bundle)})).handler(...args);`,
  );
  return join(folder, 'index.js');
};

/** Bundles a group as another checkout of the project does. */
const buildElsewhere = async (group: string, checkout: string, folder: string): Promise<string> => {
  const [{ buildFunction }, configs] = (await Promise.all(
    ['function-code', 'function-config'].map(
      (module) => import(join(checkout, `infra/functions/${module}.ts`)),
    ),
  )) as [typeof own, { functionConfigs: typeof functionConfigs }];
  buildFunction(group as never, configs.functionConfigs[group as never], folder);
  // Earlier versions have no entry beside the bundle.
  return join(folder, existsSync(join(folder, 'index.mjs')) ? 'index.mjs' : 'index.js');
};

const buildAll = async (folder: string, checkout: string | undefined) => {
  const client = await buildFloor('document-client', folder);
  const bundles = new Map<string, Variants>();
  const files = { 'document-client': client };
  for (const group of groups) {
    own.buildFunction(group, functionConfigs[group], join(folder, group));
    Object.assign(files, { [group]: join(folder, group, 'index.mjs') });
  }
  for (const [name, file] of Object.entries(files)) {
    const other = checkout !== undefined && name in functionConfigs;
    bundles.set(name, {
      now: file,
      lazily: await buildLazily(file, join(folder, 'lazily', name)),
      ...(other && { other: await buildElsewhere(name, checkout, join(folder, 'other', name)) }),
    });
  }
  return bundles;
};

/** Wall time of the first request in ms, by bundle, variant and round. */
type Waits = ReadonlyMap<string, Readonly<Record<string, number[]>>>;

const measureAll = async (
  bundles: ReadonlyMap<string, Variants>,
  runtimeClient: string,
  rounds: number,
): Promise<Waits> => {
  const service = await startService();
  const throttle = createThrottle(share);
  const all = [...bundles].flatMap(([name, variants]) =>
    Object.entries(variants).map(([variant, bundle]) => ({ name, variant, bundle })),
  );
  const waits = new Map(
    [...bundles].map(([name, variants]) => [
      name,
      Object.fromEntries(Object.keys(variants).map((variant) => [variant, [] as number[]])),
    ]),
  );
  const step = progressBar('Starting', (rounds + 1) * all.length);
  try {
    for (let round = 0; round <= rounds; round++) {
      for (const { name, variant, bundle } of round % 2 === 0 ? all : [...all].reverse()) {
        const started = { bundle, runtimeClient, env: service.environment };
        const { requestWallMs } = await coldStart(
          started,
          firstRequest(name, service.token),
          throttle,
        );
        if (round > 0) waits.get(name)?.[variant]?.push(requestWallMs);
        step();
      }
    }
  } finally {
    await throttle.close();
    await service.close();
  }
  return waits;
};

/** Returns the median of the ratios within rounds. */
const ratio = (ours: readonly number[] = [], others: readonly number[] = []): number =>
  median(ours.map((ms, round) => ms / (others[round] ?? Number.NaN)));

const report = (waits: Waits, hasOther: boolean): string => {
  const rows = Array.from(waits, ([name, { now = [], lazily = [], other }]) => [
    name,
    median(now).toFixed(0),
    median(lazily).toFixed(0),
    ratio(now, lazily).toFixed(2),
    ...(hasOther ? [other ? median(other).toFixed(0) : '', ratio(now, other).toFixed(2)] : []),
  ]);
  const others = hasOther ? ['checkout ms', 'x checkout'] : [];
  return textTable(['bundle', 'first request ms', 'lazily ms', 'x lazily', ...others], rows);
};

const verdict = (waits: Waits): string => {
  const ratios = groups.map((name) => {
    const { now, lazily } = waits.get(name) ?? {};
    return { name, value: ratio(now, lazily) };
  });
  const told = ratios.map(({ name, value }) => `${name} ${value.toFixed(2)}`).join(', ');
  const isMet = ratios.every(({ value }) => value <= goal);
  return `Goal, at most ${goal} x lazily: ${isMet ? 'met' : 'missed'} (${told})\n`;
};

/** Measures the wall time of a first request with a part of a core, after a start with a whole one. */
export const first: Benchmark = {
  summary:
    'Wall time of the first request with 0.29 of a core, as with 512 MB, after a start with a whole one',
  usage: '[--rounds 12] [--checkout <folder>]',
  run: async (args) => {
    const { values } = parseArgs({
      args: [...args],
      options: { rounds: { type: 'string', default: '12' }, checkout: { type: 'string' } },
    });
    const rounds = Number(values.rounds);
    if (!Number.isInteger(rounds) || rounds < 1) {
      throw new Error('--rounds wants a whole number from 1');
    }
    const checkout = values.checkout === undefined ? undefined : resolve(root, values.checkout);
    // Outside the project, because its package.json would make Node read CommonJS files as ESM.
    const folder = await mkdtemp(join(tmpdir(), 'handbill-bench-'));
    try {
      const bundles = await buildAll(folder, checkout);
      const waits = await measureAll(bundles, await buildRuntimeClient(folder), rounds);
      process.stdout.write(
        [
          report(waits, checkout !== undefined),
          `\nMedians of ${rounds} rounds; ${machine()}. From the event to the response, by plain HTTP to a table in memory. The\n`,
          'process is stopped for 14.2 of every 20 ms from when it waits for its first event. Lazily, that request also imports\n',
          'the bundle and makes what the start makes otherwise.\n',
          verdict(waits),
        ].join(''),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
