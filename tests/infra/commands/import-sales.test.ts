import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { getCategoryTotals, getSalesTotal } from '../../../functions/api/sales/statistics.ts';
import { listGroups } from '../../../functions/routes.ts';
import { CommandError } from '../../../infra/commands/command.ts';
import { importSales } from '../../../infra/commands/sales/import-sales.ts';
import { createGateway } from '../../../infra/local/gateway.ts';
import { temporaryFolder } from '../../support/run/process.ts';
import { newSeller } from '../../support/sales/sales.ts';
import { call } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';

useTable();
useJobs();

const servers: Server[] = [];
const listen = async (server: Server): Promise<string> => {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

let service: string;
let token: string;
const currencies = ['EUR', 'USD', 'CHF', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK', 'GBP', 'CAD', 'AUD'];
beforeAll(async () => {
  service = await listen(createGateway(listGroups('service'), () => undefined));
  const seller = await newSeller();
  const body = { name: 'Import', permissions: ['sales:create'] };
  const created = await call('POST /api/auth/tokens', { token: seller.token, body });
  token = created.body.data.token;
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

let printed: string;
let errors: string;
beforeEach(() => {
  [printed, errors] = ['', ''];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    errors += text;
    return true;
  });
  // No other test changes the totals of this currency.
  vi.stubEnv('CURRENCY', currencies.shift());
  vi.stubEnv('HANDBILL_TOKEN', token);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const writeCsv = async (content: string | Uint8Array): Promise<string> => {
  const path = join(await temporaryFolder(), 'sales.csv');
  await writeFile(path, content);
  return path;
};

const importFile = async (content: string | Uint8Array, ...options: string[]): Promise<void> =>
  importSales([await writeCsv(content), '--url', service, ...options]);

const failedLines = 'Fix the failed lines and import the file again.';

describe('npm run import-sales', () => {
  it('records a file with quotes, a byte order mark and columns in any order', async () => {
    await importFile(
      [
        '\ufeffCategory,Sold At,AMOUNT,note,customer,external_id,cost',
        'Books,2026-05-01,12.34,"x\ny","Example, ""Ltd""",a-1,2.34',
        '',
        'Games , 2026-05-02T10:00:00Z , 7 ,,,a-2,',
      ].join('\r\n'),
    );
    expect([printed, errors]).toEqual(['2 sales recorded, 0 failed.\n', '']);
    expect(await getCategoryTotals()).toEqual([
      { category: 'Books', sales: 12.34, profit: 10, orders: 1 },
      { category: 'Games', sales: 7, profit: 7, orders: 1 },
    ]);
  });

  const withBadLines = [
    'amount,soldAt,externalId,category',
    '10,2026-05-01,b-1,Books',
    '1e21,2026-05-01,b-2,Books',
    '-5,2026-05-01,b-3,Books',
    '12.345,2026-05-01,b-4,Books',
    '20,2026-05-01',
    '30,,b-6,Books',
    '40,tomorrow,b-7,Books',
    '50,2026-05-01,b"8,Books',
    '60,2026-05-01,b-1,Books',
    '70.5,2026-05-01,,Books',
    '70.5,2026-05-01,,Books',
    '80,2026-05-01,b-9,',
  ].join('\n');

  it('records the valid lines of a file, reports the others, and skips duplicates', async () => {
    const currency = process.env['CURRENCY'];
    await expect(importFile(withBadLines)).rejects.toThrow(new CommandError(failedLines));
    const reported = errors.trimEnd().split('\n');
    expect(reported).toEqual([
      'line 3: amount: must be a decimal number such as 12.34',
      'line 4: amount: must not be negative',
      `line 5: amount: must have at most 2 decimals for ${currency}`,
      'line 6: has 2 columns, but the first line has 4',
      'line 7: soldAt: is required',
      'line 8: soldAt: must be a day such as 2026-11-21, or a time such as 2026-11-21 14:30',
      'line 9: has a quotation mark inside text; quote the whole text and double the mark',
      'line 10: externalId: is already on line 2',
    ]);
    expect(printed).toBe('4 sales recorded, 8 failed.\n');
    const sums = await getSalesTotal();
    expect(sums.orders).toBe(4);

    printed = '';
    await expect(importFile(withBadLines)).rejects.toThrow(failedLines);
    expect(printed).toBe('0 sales recorded, 4 duplicates skipped, 8 failed.\n');
    expect(await getSalesTotal()).toEqual(sums);
  });

  it('reads what the page reads: semicolons, decimal commas, grouped digits, and days as days', async () => {
    const lines = [
      '\ufeffSold at;Amount;Customer',
      '01.11.2026;1.234,56;Ann',
      '03.11.2026 14:30;1 234,50;Ann',
      '2026-11-03;1\u00a0234,50;Bob',
      '2026-11-04;1\u202f234,50;Eve',
      "2026-11-05;1'234.50;Zoe",
    ];
    await importFile(lines.join('\r\n'));
    expect([printed, errors]).toEqual(['5 sales recorded, 0 failed.\n', '']);
    expect((await getSalesTotal()).sales).toBe(6_172.56);
    const query = { customer: 'Ann' };
    const { token: session } = await newSeller();
    const { items } = (await call('GET /api/sales', { token: session, query })).body.data;
    const shown = items.map((item: Record<string, unknown>) => [item['soldAt'], item['day']]);
    expect(shown).toEqual([
      [new Date('2026-11-03T14:30').toISOString(), null],
      ['2026-11-01T00:00:00.000Z', '2026-11-01'],
    ]);
  });

  it('supports another delimiter, and uses the local service by default', async () => {
    await expect(
      importFile('amount|soldAt\n"1"|2026-05-01', '--delimiter', '|'),
    ).resolves.toBeUndefined();
    vi.stubEnv('HANDBILL_URL', service);
    await importSales([await writeCsv('amount,soldAt\n2,2026-05-01')]);
    expect((await getSalesTotal()).sales).toBe(3);
  });

  it('reads Windows-1252 and UTF-16, and says so', async () => {
    const csv = 'amount,soldAt,customer\n1,2026-05-01,M\xfcller\n';
    await importFile(Buffer.from(csv, 'latin1'));
    await importFile(Buffer.from(`\ufeff${csv}`, 'utf16le'));
    expect(errors).toBe(
      'The file isn’t in UTF-8. It was read as Windows-1252.\nThe file isn’t in UTF-8. It was read as UTF-16.\n',
    );
  });

  it('reports bytes and an unclosed quote', async () => {
    const bytes = Buffer.from('amount,soldAt,customer\n1,2026-05-01,\0\xfc\n', 'latin1');
    await expect(importFile(bytes)).rejects.toThrow('The file isn’t text');
    const open = `amount,soldAt,customer\n1,2026-05-01,"Ann\n${'2,2026-05-01,Bob\n'.repeat(5)}`;
    await expect(importFile(open)).rejects.toThrow(failedLines);
    expect(errors).toBe('line 2: has a quotation mark that is never closed\n');
    expect(printed).toContain('5 sales recorded, 1 failed.');
  });

  it('shows progress only at a terminal', async () => {
    const csv = 'amount,soldAt\n88,2026-05-01';
    await importFile(csv);
    expect(errors).toBe('');
    const { isTTY } = process.stderr;
    process.stderr.isTTY = true;
    try {
      await importFile(csv);
    } finally {
      process.stderr.isTTY = isTTY;
    }
    expect(errors).toContain('100%  1 sales, 0 failed');
  });

  it('exits with code 1 and the usage without a file', async () => {
    const script = join(import.meta.dirname, '../../../infra/commands/sales/import-sales.ts');
    const ended = promisify(execFile)(process.execPath, [script]);
    await expect(ended).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Usage: npm run import-sales -- <file.csv> /),
    });
  });

  it.each<[string, string | Uint8Array, string]>([
    ['no content', '', 'The file has no sales.'],
    ['no amounts', 'soldAt,price\n2026-05-01,3', 'Missing column amount. Found: soldAt, price.'],
    ['no times', 'amount\n3', 'Missing column soldAt. Found: amount.'],
    ['two amounts', 'amount,soldAt,Amount\n1,2026-05-01,2', 'Duplicate column amount.'],
  ])('rejects a file with %s', async (_, content, message) => {
    await expect(importFile(content)).rejects.toThrow(message);
    await expect(importFile(content)).rejects.toBeInstanceOf(CommandError);
  });

  it.each<[string, string[], string]>([
    ['no file', [], 'Usage: npm run import-sales -- <file.csv>'],
    ['two files', ['a.csv', 'b.csv'], 'Usage: npm run import-sales -- <file.csv>'],
    ['a missing file', ['/nowhere/sales.csv'], 'Can’t read /nowhere/sales.csv.'],
    ['a folder', [import.meta.dirname], 'is not a file.'],
    [
      'an invalid address',
      ['a.csv', '--url', 'handbill'],
      'Set --url to the address of the service',
    ],
    ['an unencrypted address', ['a.csv', '--url', 'http://example.com'], 'an https address'],
    ['two services', ['a.csv', '--url', 'https://example.com', '--stage', 'dev'], 'not both'],
    ['two delimiters', ['a.csv', '--delimiter', ';;'], 'Set --delimiter to one character'],
  ])('rejects %s', async (_, args, message) => {
    await expect(importSales(args)).rejects.toThrow(message);
  });

  it('requires a token with sales:create', async () => {
    const csv = 'amount,soldAt\n1,2026-05-01';
    await expect(importFile(csv, '--token', 'hb_wrong')).rejects.toThrow('Invalid API token.');
    const { token: session } = await newSeller();
    const body = { name: 'Look', permissions: ['sales:view'] };
    const other = await call('POST /api/auth/tokens', { token: session, body });
    await expect(importFile(csv, '--token', other.body.data.token)).rejects.toThrow(
      'lacks sales:create',
    );
    vi.stubEnv('HANDBILL_TOKEN', '');
    await expect(importFile(csv)).rejects.toThrow('Set HANDBILL_TOKEN to an API token');
  });
});

describe('importSales with a busy service', () => {
  const createCsv = (count: number) =>
    `amount,soldAt\n${Array.from({ length: count }, (_, n) => `${n},2026-05-01`).join('\n')}`;

  /** Imports into a service with this listener, and returns the pauses. */
  const importInto = async (listener: RequestListener, count: number) => {
    const url = await listen(createServer(listener));
    const pauses: number[] = [];
    const outcome = await importSales(
      [await writeCsv(createCsv(count)), '--url', url],
      async (ms) => pauses.push(ms),
    ).then(
      () => undefined,
      (error: Error) => error.message,
    );
    return { pauses, outcome };
  };
  const recorded = { 'content-type': 'application/json' };

  it('retries after Retry-After, up to 60 s, or with exponential backoff', async () => {
    const responses: [number, Record<string, string>][] = [
      [429, { 'retry-after': '7' }],
      [503, { 'retry-after': '3600' }],
      [503, {}],
      [502, {}],
      [504, {}],
      [201, recorded],
    ];
    const { pauses, outcome } = await importInto((_, response) => {
      const [status, headers] = responses.shift() ?? [500, {}];
      response.writeHead(status, headers).end('{}');
    }, 1);
    expect([pauses, outcome]).toEqual([[7_000, 60_000, 2_000, 4_000, 8_000], undefined]);
    expect(printed).toBe('1 sale recorded, 0 failed.\n');
  });

  it('fails after six attempts without a response', async () => {
    let attempts = 0;
    const { pauses, outcome } = await importInto((request) => {
      attempts += 1;
      request.socket.destroy();
    }, 1);
    expect([attempts, pauses.length]).toEqual([6, 5]);
    expect(outcome).toMatch(/^Can’t reach http:\/\/127\.0\.0\.1:\d+\.$/);
  });

  it('sends eight sales concurrently', async () => {
    let [open, max] = [0, 0];
    const waiting: (() => void)[] = [];
    const { outcome } = await importInto((request, response) => {
      open += 1;
      max = Math.max(max, open);
      request.resume();
      waiting.push(() => {
        open -= 1;
        response.writeHead(201, recorded).end('{}');
      });
      if (waiting.length >= 8) for (const respond of waiting.splice(0)) respond();
    }, 24);
    expect([outcome, max]).toEqual([undefined, 8]);
    expect(printed).toBe('24 sales recorded, 0 failed.\n');
  });

  it('records the other lines after a permanent failure', async () => {
    let requests = 0;
    const { outcome } = await importInto((_, response) => {
      requests += 1;
      response.writeHead(requests === 2 ? 500 : 201, recorded).end('oops');
    }, 5);
    expect(outcome).toBe(failedLines);
    expect(printed).toBe('4 sales recorded, 1 failed.\n');
    expect(errors).toMatch(/^line \d: the service returned 500\n$/);
  });

  it('fails for another kind of server', async () => {
    const { outcome } = await importInto((_, response) => response.writeHead(404).end(), 1);
    expect(outcome).toMatch(/^No Handbill service at http/);
  });
});
