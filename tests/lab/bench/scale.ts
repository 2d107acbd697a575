import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { violationsOf } from '../../support/invariants/invariants.ts';
import { call } from '../../support/service/call.ts';
import type { Item } from '../../support/service/state.ts';
import { meterAws } from '../../support/table/meter.ts';
import { textTable } from '../support/text-table.ts';
import { writeCopies } from './scale/bulk.ts';
import type { Original } from './scale/copies.ts';
import { type Line, linesOf } from './scale/lines.ts';
import { makeOriginals, type Person } from './scale/originals.ts';
import { reportRates } from './scale/rates.ts';
import { type Engines, objectKeys, setEnvironment, startEngines } from './scale/site.ts';
import type { Benchmark } from './support/benchmark.ts';
import { machine } from './support/machine.ts';
import { progressBar } from './support/progress-bar.ts';

const smallest = 100;
const largest = 1_000_000;
/** Up to this size, all stored items are checked. */
const checkedSize = 1_000;

/** The table's cost of one call: units, and sequential round trips. */
interface Cost {
  readonly units: number;
  readonly trips: number;
}

interface Site {
  readonly size: number;
  readonly costs: ReadonlyMap<Line, Cost>;
  readonly items: number;
  readonly seedingMs: number;
}

type Meter = ReturnType<typeof meterAws>;

const write = (text: string) => process.stdout.write(text);

/** Returns the number of copies of each original that makes `size` records of a kind, including the originals. */
const countsOf = (originals: readonly Original[], size: number) => {
  const ofKind = Map.groupBy(originals, ({ name }) => name);
  return originals.map((original) => {
    const kinds = ofKind.get(original.name)?.length ?? 1;
    return { original, count: Math.max(0, Math.floor((size - kinds) / kinds)) };
  });
};

/** @throws Error when stored items violate an invariant: the copies differ from what the service writes */
const check = async (earlier: readonly string[]): Promise<void> => {
  const items: Item[] = [];
  const pages = paginateScan({ client: documentClient() }, { TableName: tableName() });
  for await (const { Items = [] } of pages) items.push(...(Items as Item[]));
  const objects = (await objectKeys()).filter((key) => !earlier.includes(key));
  const violations = violationsOf({ items, objects, jobs: [] });
  if (violations.length === 0) return;
  throw new Error(
    `${violations.length} violations, such as:\n${violations.slice(0, 5).join('\n')}`,
  );
};

const measure = async (meter: Meter, { token }: Person, line: Line): Promise<Cost> => {
  const ask = () => call(line.endpoint, { token, ...(line.query && { query: line.query }) });
  // The first call fills the process's caches.
  await ask();
  const { result, readUnits, writeUnits, tableTrips } = await meter.measure(ask);
  if (result.status !== 200) {
    throw new Error(`${line.name} answered ${result.status}: ${JSON.stringify(result.body)}`);
  }
  return { units: readUnits + writeUnits, trips: tableTrips };
};

const measureSite = async (
  engines: Engines,
  meter: Meter,
  folder: string,
  size: number,
): Promise<Site> => {
  const earlier = await objectKeys();
  await engines.startTable(folder);
  const { caller: client, originals } = await makeOriginals();
  await engines.stopTable();
  const started = performance.now();
  const counts = countsOf(originals, size);
  const step = progressBar(`Seeding ${size} of each kind`, counts.length);
  const items = await writeCopies(join(folder, 'dynamodb.db'), tableName(), counts, step);
  const seedingMs = performance.now() - started;
  await engines.startTable(folder);
  try {
    if (size <= checkedSize) await check(earlier);
    const costs = new Map<Line, Cost>();
    for (const line of linesOf(client.id)) costs.set(line, await measure(meter, client, line));
    return { size, costs, items, seedingMs };
  } finally {
    await engines.stopTable();
  }
};

const lineOf = ({ units, trips }: Cost): string => `${units} RU, ${trips}`;

/** Tolerance for the authors of a page's records and the unused shards of a counter, which vary at random. */
const chance = 4;

const isSame = (costs: readonly Cost[]): boolean => {
  const units = costs.map((cost) => cost.units);
  const trips = new Set(costs.map((cost) => cost.trips));
  return trips.size <= 1 && Math.max(...units) - Math.min(...units) <= chance;
};

/** Returns whether a line costs the same at all sizes, or is `bounded`: it costs the same at the last two. */
const markOf = (costs: readonly Cost[]): 'equal' | 'bounded' | 'DIFFERS' => {
  if (isSame(costs)) return 'equal';
  return costs.length > 2 && isSame(costs.slice(-2)) ? 'bounded' : 'DIFFERS';
};

const reportLines = (sites: readonly Site[]): string => {
  const [first] = sites;
  const names = [...(first?.costs.keys() ?? [])].map(({ name }) => name);
  const rows = names.map((name, at) => {
    const costs = sites.flatMap((site) => [...site.costs.values()][at] ?? []);
    return [name, ...costs.map(lineOf), markOf(costs)];
  });
  return textTable(['RU, trips', ...sites.map(({ size }) => `${size} of each`), ''], rows);
};

const readSizes = (args: readonly string[]): number[] => {
  const { values } = parseArgs({
    args: [...args],
    options: { sizes: { type: 'string', default: '100,10000,100000' } },
  });
  const sizes = [...new Set(values.sizes.split(',').map(Number))];
  const isSize = (size: number) => Number.isInteger(size) && size >= smallest && size <= largest;
  if (sizes.every(isSize)) return sizes;
  throw new Error(`--sizes wants whole numbers from ${smallest} to ${largest}`);
};

/** Measures the cost of lists and sums at large sizes, and how often requests can be sent within the limits of partitions. */
export const scale: Benchmark = {
  summary:
    'Units and round trips of every list and total, for few and many records, and rates within partition limits',
  usage: '[--sizes 100,10000,100000]',
  run: async (args) => {
    const sizes = readSizes(args);
    setEnvironment();
    const folder = await mkdtemp(join(tmpdir(), 'handbill-scale-'));
    const engines = await startEngines(folder);
    const meter = meterAws();
    try {
      const sites: Site[] = [];
      for (const size of sizes) {
        sites.push(await measureSite(engines, meter, join(folder, `table-${size}`), size));
      }
      write(reportLines(sites));
      write(
        "\nOf users, documents, files, messages, notifications, events, sales and shares each, most of them the caller's; several of the audit for each. Units and trips include those that tell who calls. A list with a filter counts its matches, up to 1 000 in each of its shards (those of all documents and files are four): what is bounded costs more until there are so many, and no more from then on. Up to 4 RU are chance: how many authors a page's records have, and which shards of a counter were written to yet.\n\n",
      );
      write(await reportRates());
      write(
        '\nA partition takes 3 000 RU and 1 000 WU a second; what is above it is refused for that second, and answered 503 with Retry-After.\n',
      );
      for (const { size, items, seedingMs } of sites) {
        write(
          `Seeded ${items} items (${size} of each kind) in ${(seedingMs / 1_000).toFixed(1)} s.\n`,
        );
      }
      write(`${machine()}.\n`);
    } finally {
      meter.stop();
      await engines.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
