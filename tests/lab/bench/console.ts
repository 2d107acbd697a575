import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { tableName } from '../../../shared/db/dynamodb.ts';
import { launchBrowser } from '../../support/pages/browser.ts';
import { type LoadedServer, startServer } from '../load/server.ts';
import { textTable } from '../support/text-table.ts';
import { writeCopies } from './scale/bulk.ts';
import { makeOriginals } from './scale/originals.ts';
import { setEnvironment, startEngines } from './scale/site.ts';
import type { Benchmark } from './support/benchmark.ts';
import { machine } from './support/machine.ts';
import { median } from './support/median.ts';

const rounds = 5;
const row = 'main tbody tr';

/** Pages of administration, and what they show once they can be used. */
const pages = [
  ['/users', row],
  ['/users?search=quentin', row],
  ['/users?role=user&sort=name&page=40', row],
  ['/audit', row],
  ['/audit?action=user.create', row],
  // Nothing matches: the whole log is examined.
  ['/audit?action=share.moderate', 'main .empty'],
] as const;

/** Fills the table of a data folder with users, each with two audit entries. Returns the number of items. */
const fill = async (folder: string, size: number): Promise<number> => {
  const engines = await startEngines(folder);
  try {
    await engines.startTable(folder);
    const { originals } = await makeOriginals();
    await engines.stopTable();
    const counts = originals
      .filter(({ name }) => name === 'users')
      .map((original) => ({ original, count: size }));
    return await writeCopies(join(folder, 'dynamodb.db'), tableName(), counts);
  } finally {
    await engines.close();
  }
};

/** Measures how long a page takes from its address to its data, and how many requests it sends. */
const measurePage = async (
  browser: Browser,
  { url, admin }: LoadedServer,
  path: string,
  shown: string,
): Promise<{ readonly ms: number; readonly requests: number }> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    await context.request.post(`${url}/api/auth/login`, { data: admin, headers: { origin: url } });
    const page = await context.newPage();
    // Scripts and styles are in the cache from then on, as they are for a user.
    await page.goto(`${url}/dashboard`);
    const times: number[] = [];
    let requests = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === `/api${path.split('?')[0]}`) requests += 1;
    });
    for (let round = 0; round <= rounds; round += 1) {
      const start = performance.now();
      await page.goto(url + path, { waitUntil: 'commit' });
      await page.locator(shown).first().waitFor();
      // The first one fills the cache.
      if (round > 0) times.push(performance.now() - start);
    }
    return { ms: median(times), requests: requests / (rounds + 1) };
  } finally {
    await context.close();
  }
};

/** Measures the pages of administration on a table with many users and audit entries. */
export const consolePages: Benchmark = {
  summary:
    'pages of administration with many users and audit entries, until they can be used, in Chromium',
  usage: '[--size 50000]',
  run: async (args) => {
    const { values } = parseArgs({
      args: [...args],
      options: { size: { type: 'string', default: '50000' } },
    });
    const size = Number(values.size);
    if (!Number.isInteger(size) || size < 100)
      throw new Error('Set --size to an integer from 100.');
    setEnvironment();
    const folder = await mkdtemp(join(tmpdir(), 'handbill-console-'));
    const browser = await launchBrowser();
    let server: LoadedServer | undefined;
    try {
      const items = await fill(folder, size);
      server = await startServer({ folder, settings: { TABLE_NAME: tableName() } });
      const rows: string[][] = [];
      for (const [path, shown] of pages) {
        const { ms, requests } = await measurePage(browser, server, path, shown);
        rows.push([path, ms.toFixed(0), requests.toFixed(0)]);
      }
      process.stdout.write(textTable(['page', 'ms', 'requests for its data'], rows));
      process.stdout.write(
        `\n${size} users and twice as many audit entries: ${items} items. Medians of ${rounds}.\n${machine()}.\n`,
      );
    } finally {
      await browser.close();
      await server?.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
