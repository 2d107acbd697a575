import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startDynamoDb } from '../../../infra/local/aws/dynamodb/engine.ts';
import { meterAws } from '../../support/table/meter.ts';
import { textTable } from '../support/text-table.ts';
import { type Body, get, type Query, signIn } from './lists/caller.ts';
import { guestCount, largestSize, matchCount, rareWord, smallestSize } from './lists/seed-users.ts';
import { seedTable } from './lists/seeding.ts';
import type { Benchmark } from './support/benchmark.ts';
import { machine } from './support/machine.ts';
import { median } from './support/median.ts';
import { progressBar } from './support/progress-bar.ts';

const pageSize = 10;
/** Number of the page that a cursor leads to. */
const cursorPage = 4;
const fewestRounds = 20;

interface Options {
  readonly sizes: readonly number[];
  readonly data: string;
  readonly rounds: number;
}

/** A table with this number of users, and a caller. */
interface Site {
  readonly size: number;
  readonly table: string;
  readonly token: string;
  readonly cursor: string;
  readonly userId: number;
  readonly seedingMs: number;
}

interface Operation {
  readonly name: string;
  call(site: Site): Promise<Body>;
  /** Checks the response, so that no error is measured. */
  isRight(body: Body, site: Site): boolean;
}

const page = ({ token }: Site, query: Query): Promise<Body> =>
  get(token, '/api/users', { query: { pageSize: String(pageSize), ...query } });

const isPage =
  (total: (site: Site) => number) =>
  ({ data }: Body, site: Site): boolean =>
    data.items?.length === pageSize && data.total === total(site);

const operations: readonly Operation[] = [
  {
    name: 'page 1',
    call: (site) => page(site, {}),
    isRight: isPage(({ size }) => size),
  },
  {
    name: `page ${cursorPage}, by cursor`,
    call: (site) => page(site, { cursor: site.cursor }),
    isRight: isPage(({ size }) => size),
  },
  {
    name: 'one user',
    call: ({ token, userId }) => get(token, '/api/users/{id}', { id: userId }),
    isRight: ({ data }, { userId }) => data.id === userId,
  },
  {
    name: `search, ${matchCount} matches`,
    call: (site) => page(site, { search: rareWord }),
    isRight: isPage(() => matchCount),
  },
  {
    name: `role, ${guestCount} matches`,
    call: (site) => page(site, { role: 'guest' }),
    isRight: isPage(() => guestCount),
  },
];

const wholeNumbers = (text: string, name: string, least: number, most: number): number[] => {
  const numbers = text.split(',').map(Number);
  if (numbers.every((number) => Number.isInteger(number) && number >= least && number <= most)) {
    return [...new Set(numbers)];
  }
  throw new Error(`--${name} wants whole numbers from ${least} to ${most}`);
};

const readOptions = (args: readonly string[]): Options => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: 'string', default: '100,1000,100000' },
      data: { type: 'string', default: join(tmpdir(), 'handbill-bench-lists') },
      rounds: { type: 'string', default: '30' },
    },
  });
  return {
    sizes: wholeNumbers(values.sizes, 'sizes', smallestSize, largestSize),
    data: values.data,
    rounds: Math.max(...wholeNumbers(values.rounds, 'rounds', fewestRounds, 10_000)),
  };
};

/** Sets the whole environment of the functions, so that no setting of the caller's leads to a table of theirs. */
const setEnvironment = (endpoint: string): void => {
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    JWT_SECRET: 'a secret of the benchmark, long enough to sign with',
    JWT_ACCESS_EXPIRES: '1d',
    POWERTOOLS_LOG_LEVEL: 'SILENT',
    POWERTOOLS_METRICS_DISABLED: 'true',
  });
};

const use = (table: string): void => {
  process.env['TABLE_NAME'] = table;
};

const prepare = async (size: number): Promise<Site> => {
  const table = `handbill-bench-${size}-users`;
  use(table);
  const { caller: client, seedingMs } = await seedTable(size);
  const site = { size, table, token: await signIn(client), seedingMs };
  let cursor = '';
  let userId = 0;
  for (let number = 1; number < cursorPage; number++) {
    const { data } = await get(site.token, '/api/users', {
      query: { pageSize: String(pageSize), ...(cursor && { cursor }) },
    });
    cursor = data.nextCursor ?? '';
    userId = data.items?.at(-1)?.id ?? 0;
  }
  return { ...site, cursor, userId };
};

/** The requests of one call to the table. */
interface Consumption {
  readonly units: number;
  readonly requests: number;
  /** Length of the longest chain of sequential requests. */
  readonly rounds: number;
  readonly ms: number;
}

type Samples = ReadonlyMap<Operation, ReadonlyMap<Site, Consumption[]>>;

/**
 * Measures every operation at every size in each round, so that noise affects all sizes equally. The first round only
 * warms up.
 */
const measureAll = async (sites: readonly Site[], rounds: number): Promise<Samples> => {
  const samples = new Map(
    operations.map((operation) => [
      operation,
      new Map(sites.map((site) => [site, [] as Consumption[]])),
    ]),
  );
  const meter = meterAws();
  const step = progressBar('Measuring', rounds + 1);
  for (let round = 0; round <= rounds; round++) {
    for (const operation of operations) {
      // Alternates the order, so that no size is always first.
      for (const site of round % 2 === 0 ? sites : sites.toReversed()) {
        use(site.table);
        const started = performance.now();
        const { result, readUnits, requests, trips } = await meter.measure(() =>
          operation.call(site),
        );
        const ms = performance.now() - started;
        if (!operation.isRight(result, site)) {
          throw new Error(`${operation.name} of ${site.size} users answered something else`);
        }
        const consumption = { units: readUnits, requests: requests.table, rounds: trips, ms };
        if (round > 0) samples.get(operation)?.get(site)?.push(consumption);
      }
    }
    step();
  }
  meter.stop();
  return samples;
};

type Count = 'units' | 'requests' | 'rounds';

/** Returns the value of all samples, or its range. */
const span = (samples: readonly Consumption[], count: Count): string => {
  const values = samples.map((sample) => sample[count]);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least === most ? String(least) : `${least} to ${most}`;
};

const head = ['operation', 'users', 'read units', 'requests', 'in a row', 'ms'];

const toRows = (all: Samples): string[][] =>
  [...all].flatMap(([{ name }, bySite]) =>
    Array.from(bySite, ([{ size }, samples]) => [
      name,
      String(size),
      span(samples, 'units'),
      span(samples, 'requests'),
      span(samples, 'rounds'),
      median(samples.map(({ ms }) => ms)).toFixed(1),
    ]),
  );

const verdict = (name: string, bySite: ReadonlyMap<Site, readonly Consumption[]>): string => {
  const grows = (['units', 'requests'] as const).filter(
    (count) => new Set(Array.from(bySite.values(), (samples) => span(samples, count))).size > 1,
  );
  const outcome =
    grows.length === 0
      ? 'units and requests are equal at all sizes'
      : `${grows.join(' and ')} DIFFER between the sizes`;
  return `${name}: ${outcome}\n`;
};

const report = (all: Samples, sites: readonly Site[], rounds: number): string => {
  const seeding = sites.map(
    ({ size, seedingMs }) => `${size} users in ${(seedingMs / 1_000).toFixed(1)} s`,
  );
  return [
    textTable(head, toRows(all)),
    `\nPages of ${pageSize} users; ms are medians of ${rounds} calls each, with the local DynamoDB in the same process.\n`,
    'Read units and requests include those that tell who calls; in a row are requests that wait for each other.\n',
    `${machine()}.\nSeeded ${seeding.join(', ')}.\n`,
    // A single size has nothing to compare with.
    ...(sites.length > 1
      ? ['\n', ...Array.from(all, ([{ name }, bySite]) => verdict(name, bySite))]
      : []),
  ].join('');
};

/** Measures lists, search and a single user in tables of very different sizes. Their costs must be equal. */
export const lists: Benchmark = {
  summary: 'Read units, requests and time of the list of users, for several numbers of users',
  usage: '[--sizes 100,1000,100000] [--rounds 30] [--data <folder>]',
  run: async (args) => {
    const { sizes, data, rounds } = readOptions(args);
    const engine = await startDynamoDb({ path: join(data, 'dynamodb.db') });
    try {
      setEnvironment(engine.endpoint);
      const sites: Site[] = [];
      for (const size of sizes) sites.push(await prepare(size));
      process.stdout.write(report(await measureAll(sites, rounds), sites, rounds));
    } finally {
      await engine.close();
    }
  },
};
