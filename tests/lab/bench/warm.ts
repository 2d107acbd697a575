import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { textTable } from '../support/text-table.ts';
import type { Benchmark } from './support/benchmark.ts';
import { machine } from './support/machine.ts';
import { median } from './support/median.ts';
import { progressBar } from './support/progress-bar.ts';
import { bundle, type Engine } from './warm/build.ts';
import { frameworks } from './warm/frameworks.ts';
import { type HandlerProcess, type Order, startProcess } from './warm/process.ts';
import { requestNames, requests } from './warm/requests.ts';
import { assertSameAnswers, createEvents, type Events, env } from './warm/same-answers.ts';

const goal = 1.15;

/** Requests before the first measurement, and in each round. */
const warmUp = 2_000;
const perRound = 500;
/** Each handler gets a new process after this number of rounds, because compiled code differs between processes. */
const roundsOfProcess = 8;

/** What is measured: each request with the same access token, as clients send it, and with one never sent before. */
const cases = requestNames.flatMap((request) =>
  [false, true].map((hasNewTokens) => ({
    request,
    hasNewTokens,
    title: `${request.toUpperCase()}${hasNewTokens ? ', new token' : ''}`,
  })),
);

/** CPU per request in µs, by handler, case and round. */
type Costs = ReadonlyMap<string, readonly number[][]>;

const readOptions = (args: readonly string[]) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '24' },
      sdk: { type: 'boolean', default: false },
    },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new Error('--rounds wants a whole number from 1');
  }
  const engine: Engine = values.sdk ? 'network' : 'client';
  return { rounds, engine };
};

const bundleAll = async (folder: string, engine: Engine): Promise<Map<string, string>> => {
  const files = new Map<string, string>();
  for (const [name, contender] of Object.entries(frameworks)) {
    files.set(name, await bundle(contender, engine, join(folder, name)));
  }
  return files;
};

const ask = async (handler: HandlerProcess, order: Order): Promise<number> => {
  const { cpuUs } = await handler.ask(order);
  if (cpuUs === undefined) throw new Error('A handler was not measured');
  return cpuUs;
};

/** Changes the order in each round, so that no handler always follows the same one, or itself. */
const inTurns = <T>(all: readonly T[], round: number): T[] => {
  const at = Math.max(0, round) % all.length;
  const rotated = [...all.slice(at), ...all.slice(0, at)];
  return round % 2 === 0 ? rotated : rotated.reverse();
};

/** Measures some rounds with one process for each handler, in turns, so that noise affects all equally. */
const measureSome = async (
  files: ReadonlyMap<string, string>,
  events: Events,
  rounds: number,
  costs: Costs,
  step: () => void,
): Promise<void> => {
  const handlers = Array.from(files, ([name, file]) => ({ name, of: startProcess(file, env) }));
  try {
    for (let round = -1; round < rounds; round++) {
      for (const { name, of } of inTurns(handlers, round)) {
        for (const [at, { request, hasNewTokens }] of cases.entries()) {
          const times = round < 0 ? warmUp : perRound;
          const cpuUs = await ask(of, { event: events[request], times, hasNewTokens });
          if (round >= 0) costs.get(name)?.[at]?.push(cpuUs);
        }
        step();
      }
    }
  } finally {
    await Promise.all(handlers.map(({ of }) => of.end()));
  }
};

const measureAll = async (
  files: ReadonlyMap<string, string>,
  events: Events,
  rounds: number,
): Promise<Costs> => {
  const costs: Costs = new Map(
    [...files.keys()].map((name) => [name, cases.map(() => [] as number[])] as const),
  );
  const generations = Math.ceil(rounds / roundsOfProcess);
  const step = progressBar('Measuring', (rounds + generations) * files.size);
  for (let done = 0; done < rounds; done += roundsOfProcess) {
    await measureSome(files, events, Math.min(roundsOfProcess, rounds - done), costs, step);
  }
  return costs;
};

/** Returns the median of the ratios to another handler in the same round. Noise in a round affects both. */
const ratio = (own: readonly number[], other: readonly number[]): number =>
  median(own.map((cpuUs, round) => cpuUs / (other[round] ?? Number.NaN)));

const report = (costs: Costs): string => {
  const bare = costs.get('bare') ?? [];
  const rows = Array.from(costs, ([name, ofOne]) => [
    frameworks[name]?.title ?? name,
    ...ofOne.flatMap((figures, at) => [
      median(figures).toFixed(1),
      ratio(figures, bare[at] ?? []).toFixed(2),
    ]),
  ]);
  return textTable(['handler', ...cases.flatMap(({ title }) => [`${title} µs`, 'x bare'])], rows);
};

const verdict = (costs: Costs): string => {
  const [ours = [], bare = []] = ['ours', 'bare'].map((name) => costs.get(name));
  const ratios = ours.map((figures, at) => ratio(figures, bare[at] ?? []));
  const told = (hasNewTokens: boolean) =>
    cases
      .flatMap((one, at) =>
        one.hasNewTokens === hasNewTokens
          ? `${requests[one.request]} ${ratios[at]?.toFixed(2)}`
          : [],
      )
      .join(', ');
  const isMet = cases.every(({ hasNewTokens }, at) => hasNewTokens || (ratios[at] ?? 0) <= goal);
  return `Goal, at most ${goal} x bare: ${isMet ? 'met' : 'missed'} (${told(false)}; with a new token each: ${told(true)})\n`;
};

const engines: Readonly<Record<Engine, string>> = {
  client:
    'The document client answers at once from memory, so that nothing of the SDK is in the figures.',
  network:
    'The network answers at once, so that what the SDK does for each command is in the figures.',
};

const sameness = 'All give the same answers and send the same commands, which was checked.\n';

/** Measures the CPU of a warm request with immediate responses of the table, compared with other frameworks. */
export const warm: Benchmark = {
  summary:
    'CPU of a warm request, compared with the same endpoints without and with other frameworks',
  usage: '[--rounds 24] [--sdk]',
  run: async (args) => {
    const { rounds, engine } = readOptions(args);
    // Outside the project, because its package.json would make Node read CommonJS files as ESM.
    const folder = await mkdtemp(join(tmpdir(), 'handbill-bench-'));
    try {
      const files = await bundleAll(folder, engine);
      const events = createEvents();
      // Only the document client's commands are recorded before marshalling.
      if (engine === 'client') await assertSameAnswers(files, events);
      const costs = await measureAll(files, events, rounds);
      process.stdout.write(
        [
          report(costs),
          `\nMedians of ${rounds} rounds of ${perRound} requests, after ${warmUp} to warm up; CPU is of all threads;\n`,
          `${machine()}.\n${engines[engine]}\n`,
          'All check user, session, permission, input and output.\n',
          ...(engine === 'client' ? [sameness, verdict(costs)] : []),
        ].join(''),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
