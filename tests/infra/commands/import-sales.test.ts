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
import { importSales } from '../../../infra/commands/import-sales.ts';
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
let complained: string;
beforeEach(() => {
  [printed, complained] = ['', ''];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    complained += text;
    return true;
  });
  // Sums that no other test adds to.
  vi.stubEnv('CURRENCY', currencies.shift());
  vi.stubEnv('HANDBILL_TOKEN', token);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const fileOf = async (content: string | Uint8Array): Promise<string> => {
  const path = join(await temporaryFolder(), 'sales.csv');
  await writeFile(path, content);
  return path;
};

const importFile = async (content: string | Uint8Array, ...options: string[]): Promise<void> =>
  importSales([await fileOf(content), '--url', service, ...options]);

const failedLines = 'Put the lines that failed right, and import the file again.';

describe('npm run import-sales', () => {
  it('records what a file says, with quotes, a byte order mark and columns in any order', async () => {
    await importFile(
      [
        '\ufeffCategory,Sold At,AMOUNT,note,customer,external_id,cost',
        'Books,2026-05-01,12.34,"x\ny","Example, ""Ltd""",a-1,2.34',
        '',
        'Games , 2026-05-02T10:00:00Z , 7 ,,,a-2,',
      ].join('\r\n'),
    );
    expect([printed, complained]).toEqual(['2 sales recorded, 0 failed.\n', '']);
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

  it('keeps the good lines of a file, tells the bad ones, and records nothing twice', async () => {
    const currency = process.env['CURRENCY'];
    await expect(importFile(withBadLines)).rejects.toThrow(new CommandError(failedLines));
    const told = complained.trimEnd().split('\n');
    expect(told.filter((line) => !line.includes('another sale'))).toEqual([
      'line 3: amount: must be a decimal number such as 12.34',
      'line 4: amount: must not be negative',
      `line 5: amount: must have at most 2 decimals, as ${currency} has`,
      'line 6: has another number of columns',
      'line 7: soldAt: is required',
      'line 8: soldAt: must be a time such as 2026-11-21T12:00:00Z, or a day such as 2026-11-21',
      expect.stringMatching(/^line 9: is not CSV: /),
    ]);
    // They are sent at once, so that either may be the first.
    expect(told.filter((line) => line.includes('another sale'))).toEqual([
      expect.stringMatching(/^line (2|10): externalId: is that of another sale, by its amount$/),
    ]);
    expect(printed).toBe('4 sales recorded, 8 failed.\n');
    const sums = await getSalesTotal();
    expect(sums.orders).toBe(4);

    printed = '';
    await expect(importFile(withBadLines)).rejects.toThrow(failedLines);
    expect(printed).toBe('0 sales recorded, 4 were there before, 8 failed.\n');
    expect(await getSalesTotal()).toEqual(sums);
  });

  it('takes another delimiter, and the local service without an address', async () => {
    await expect(
      importFile('amount;soldAt\n"1";2026-05-01', '--delimiter', ';'),
    ).resolves.toBeUndefined();
    vi.stubEnv('HANDBILL_URL', service);
    await importSales([await fileOf('amount,soldAt\n2,2026-05-01')]);
    expect((await getSalesTotal()).sales).toBe(3);
  });

  it('tells a line that is not UTF-8, and a quote that is not closed', async () => {
    const latin1 = Buffer.from(
      'amount,soldAt,customer\n1,2026-05-01,M\xfcller\n2,2026-05-01,Ann\n',
      'latin1',
    );
    await expect(importFile(latin1)).rejects.toThrow(failedLines);
    expect(complained).toBe('line 2: is not UTF-8\n');
    complained = '';
    const open = `amount,soldAt,customer\n1,2026-05-01,"Ann\n${'2,2026-05-01,Bob\n'.repeat(10_000)}`;
    await expect(importFile(open)).rejects.toThrow(failedLines);
    expect(complained).toMatch(/is too long: is a quote not closed\?|is not CSV/);
  });

  it('shows at a terminal how far it is, and nothing of it elsewhere', async () => {
    const csv = 'amount,soldAt\n88,2026-05-01';
    await importFile(csv);
    expect(complained).toBe('');
    const { isTTY } = process.stderr;
    process.stderr.isTTY = true;
    try {
      await importFile(csv);
    } finally {
      process.stderr.isTTY = isTTY;
    }
    expect(complained).toContain('100%  1 sales, 0 failed');
  });

  it('ends with exit code 1 where it can not begin', async () => {
    const script = join(import.meta.dirname, '../../../infra/commands/import-sales.ts');
    const ended = promisify(execFile)(process.execPath, [script]);
    await expect(ended).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Say what: npm run import-sales -- <file.csv> .*\n$/),
    });
  });

  it.each<[string, string | Uint8Array, string]>([
    ['nothing', '', 'The file is empty.'],
    ['no amounts', 'soldAt,price\n2026-05-01,3', 'There is no column amount in the first line'],
    ['no times', 'amount\n3', 'There is no column soldAt in the first line'],
    [
      'two amounts',
      'amount,soldAt,Amount\n1,2026-05-01,2',
      'There are two columns amount in the first line.',
    ],
  ])('refuses a file with %s', async (_, content, message) => {
    await expect(importFile(content)).rejects.toThrow(message);
    await expect(importFile(content)).rejects.toBeInstanceOf(CommandError);
  });

  it.each<[string, string[], string]>([
    ['no file', [], 'Say what: npm run import-sales -- <file.csv>'],
    ['two files', ['a.csv', 'b.csv'], 'Say what: npm run import-sales -- <file.csv>'],
    ['a file that is not there', ['/nowhere/sales.csv'], '/nowhere/sales.csv can not be read.'],
    ['a folder', [import.meta.dirname], 'is no file.'],
    [
      'an address that is none',
      ['a.csv', '--url', 'handbill'],
      'Set --url to the address of the service',
    ],
    ['an address in the clear', ['a.csv', '--url', 'http://example.com'], 'with https'],
    ['two services', ['a.csv', '--url', 'https://example.com', '--stage', 'dev'], 'not both'],
    ['two delimiters', ['a.csv', '--delimiter', ';;'], 'Set --delimiter to one character'],
  ])('refuses %s', async (_, args, message) => {
    await expect(importSales(args)).rejects.toThrow(message);
  });

  it('needs a token that may record sales', async () => {
    const csv = 'amount,soldAt\n1,2026-05-01';
    await expect(importFile(csv, '--token', 'hb_wrong')).rejects.toThrow('does not know the token');
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

describe('a service that is busy', () => {
  const csvOf = (count: number) =>
    `amount,soldAt\n${Array.from({ length: count }, (_, n) => `${n},2026-05-01`).join('\n')}`;

  /** Imports into a service that answers so, and says what pauses there were. */
  const importInto = async (listener: RequestListener, count: number) => {
    const url = await listen(createServer(listener));
    const pauses: number[] = [];
    const outcome = await importSales([await fileOf(csvOf(count)), '--url', url], async (ms) =>
      pauses.push(ms),
    ).then(
      () => undefined,
      (error: Error) => error.message,
    );
    return { pauses, outcome };
  };
  const recorded = { 'content-type': 'application/json' };

  it('is asked again when it says so, 60 s at most, and else after longer and longer pauses', async () => {
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

  it('is asked again where it did not answer, and given up after six times', async () => {
    let asked = 0;
    const { pauses, outcome } = await importInto((request) => {
      asked += 1;
      request.socket.destroy();
    }, 1);
    expect([asked, pauses.length]).toEqual([6, 5]);
    expect(outcome).toMatch(/^http:\/\/127\.0\.0\.1:\d+ does not answer\.$/);
  });

  it('has eight sales at once on their way, and not one more', async () => {
    let [open, most] = [0, 0];
    const waiting: (() => void)[] = [];
    const { outcome } = await importInto((request, response) => {
      open += 1;
      most = Math.max(most, open);
      request.resume();
      waiting.push(() => {
        open -= 1;
        response.writeHead(201, recorded).end('{}');
      });
      // Each is answered once eight wait, the last ones at once.
      if (waiting.length >= 8) for (const response of waiting.splice(0)) response();
    }, 24);
    expect([outcome, most]).toEqual([undefined, 8]);
    expect(printed).toBe('24 sales recorded, 0 failed.\n');
  });

  it('that fails a line for good does not keep the others from it', async () => {
    let asked = 0;
    const { outcome } = await importInto((_, response) => {
      asked += 1;
      response.writeHead(asked === 2 ? 500 : 201, recorded).end('oops');
    }, 5);
    expect(outcome).toBe(failedLines);
    expect(printed).toBe('4 sales recorded, 1 failed.\n');
    expect(complained).toMatch(/^line \d: the service answered 500\n$/);
  });

  it('is none where it answers with something else', async () => {
    const { outcome } = await importInto((_, response) => response.writeHead(404).end(), 1);
    expect(outcome).toMatch(/^There is no Handbill at http/);
  });
});
