import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { tableName } from '../../../shared/db/dynamodb.ts';
import { measure } from '../load/measure.ts';
import { type Scenario, scenarios } from '../load/scenarios.ts';
import { type LoadedServer, startServer } from '../load/server.ts';
import { prepareSite, type Site } from '../load/site.ts';
import { textTable } from '../support/text-table.ts';
import { writeCopies } from './scale/bulk.ts';
import { makeOriginals } from './scale/originals.ts';
import { setEnvironment, startEngines } from './scale/site.ts';
import type { Benchmark } from './support/benchmark.ts';
import { machine } from './support/machine.ts';
import { median } from './support/median.ts';

const copied = ['shares', 'documents'];
const measured = ['view', 'share-page', 'list'];
const seconds = 5;
const mb = 1024 * 1024;

/** A running service, and when it was ready. */
interface Place {
  readonly server: LoadedServer;
  readonly site: Site;
  readonly startMs: number;
}

const toInteger = (text: string, name: string, least: number): number => {
  const number = Number(text);
  if (Number.isInteger(number) && number >= least) return number;
  throw new Error(`Set --${name} to an integer from ${least}.`);
};

/** Fills the table of a data folder with `size` shares and `size` documents. Returns the number of items. */
const fill = async (folder: string, size: number): Promise<number> => {
  const engines = await startEngines(folder);
  try {
    await engines.startTable(folder);
    const { originals } = await makeOriginals();
    await engines.stopTable();
    const chosen = originals.filter(({ name }) => copied.includes(name));
    const counts = chosen.map((original) => {
      const kinds = chosen.filter(({ name }) => name === original.name).length;
      return { original, count: Math.ceil(size / kinds) };
    });
    return await writeCopies(join(folder, 'dynamodb.db'), tableName(), counts);
  } finally {
    await engines.close();
  }
};

const open = async (folder: string): Promise<Place> => {
  const started = performance.now();
  const server = await startServer({ folder, settings: { TABLE_NAME: tableName() } });
  const startMs = performance.now() - started;
  return { server, site: await prepareSite(server), startMs };
};

/** Measures a scenario on both services in turns. Returns the CPU of a request in ms on each, by round. */
const measureInTurns = async (
  places: readonly Place[],
  scenario: Scenario,
  rounds: number,
): Promise<number[][]> => {
  const results: number[][] = places.map(() => []);
  for (let round = 0; round < rounds; round++) {
    const order = [...places.keys()];
    for (const at of round % 2 === 0 ? order : order.toReversed()) {
      const { server, site } = places[at] as Place;
      const { cpuMs, errors } = await measure(server, site, scenario, seconds);
      if (errors > 0) throw new Error(`${scenario.name}: ${errors} requests failed`);
      results[at]?.push(cpuMs);
    }
  }
  return results;
};

/** Compares views and lists of the local service on a table of a million items with those on an empty table. */
export const filled: Benchmark = {
  summary: 'CPU of views and lists on a table of a million items, against an empty one, by HTTP',
  usage: '[--size 100000] [--rounds 5]',
  run: async (args) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        size: { type: 'string', default: '100000' },
        rounds: { type: 'string', default: '5' },
      },
    });
    const size = toInteger(values.size, 'size', 100);
    const rounds = toInteger(values.rounds, 'rounds', 1);
    setEnvironment();
    const folder = await mkdtemp(join(tmpdir(), 'handbill-filled-'));
    const [empty, full] = [join(folder, 'empty'), join(folder, 'full')];
    const places: Place[] = [];
    try {
      const items = await fill(full, size);
      const { size: bytes } = await stat(join(full, 'dynamodb.db'));
      for (const one of [empty, full]) places.push(await open(one));
      const rows: string[][] = [];
      for (const scenario of scenarios.filter(({ name }) => measured.includes(name))) {
        const [before = [], after = []] = await measureInTurns(places, scenario, rounds);
        const ratio = median(after.map((ms, at) => ms / (before[at] ?? 0)));
        const ms = [before, after].map((all) => median(all).toFixed(2));
        rows.push([scenario.name, ...ms, ratio.toFixed(2)]);
      }
      process.stdout.write(textTable(['CPU ms/request', 'empty', 'full', 'ratio'], rows));
      const starts = places.map(({ startMs }) => `${(startMs / 1_000).toFixed(1)} s`);
      process.stdout.write(
        `\nThe full table has ${size} shares, ${size} documents and all that belongs to them: ${items} items, ${(bytes / mb).toFixed(0)} MB. Ready after ${starts.join(' (empty) and ')} (full).\n${machine()}.\n`,
      );
    } finally {
      for (const { server } of places) await server.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
