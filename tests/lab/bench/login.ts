import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Context } from 'aws-lambda';
import { handler } from '../../../functions/api/auth/index.ts';
import { create } from '../../../functions/api/users/record/users.ts';
import { startDynamoDb } from '../../../infra/local/aws/dynamodb/engine.ts';
import { openLocalQueues } from '../../../infra/local/jobs/jobs.ts';
import { ensureTable } from '../../../infra/local/table.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import { hashPassword } from '../../../shared/auth/passwords.ts';
import { tableName } from '../../../shared/db/dynamodb.ts';
import { textTable } from '../support/text-table.ts';
import type { Benchmark } from './support/benchmark.ts';
import { machine } from './support/machine.ts';
import { median } from './support/median.ts';
import { progressBar } from './support/progress-bar.ts';

const fewestPairs = 20;
const warmUpPairs = 4;
/** Permitted difference of the medians. */
const tolerance = 0.2;

interface Operation {
  readonly name: string;
  readonly path: string;
  readonly status: number;
  /** Calls per sample, of which the fastest counts: a single call of 2 ms depends too much on the machine. */
  readonly calls: number;
  body(email: string): unknown;
}

const operations: readonly Operation[] = [
  {
    name: 'login, wrong password',
    path: '/api/auth/login',
    status: 401,
    calls: 1,
    body: (email) => ({ email, password: 'wrong horse' }),
  },
  {
    name: 'forgot-password',
    path: '/api/auth/forgot-password',
    status: 200,
    calls: 9,
    body: (email) => ({ email }),
  },
];

/**
 * Sets the functions' environment except the endpoints, so that no setting of the caller's leads to a table of theirs.
 */
const setEnvironment = (): void => {
  Object.assign(process.env, {
    TABLE_NAME: 'handbill-bench-login',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    JWT_SECRET: 'a secret of the benchmark, long enough to sign with',
    PASSWORD_COST: '10',
    RATE_LIMIT_FACTOR: '1000',
    MAIL_FROM: 'handbill@example.com',
    PUBLIC_URL: 'https://handbill.test',
    POWERTOOLS_LOG_LEVEL: 'SILENT',
    POWERTOOLS_METRICS_DISABLED: 'true',
  });
};

/** Calls the Lambda function as API Gateway would; returns the time in ms. */
const time = async ({ path, status, body }: Operation, email: string): Promise<number> => {
  const requestId = randomUUID();
  const routeKey = `POST ${path}`;
  const event: Parameters<typeof handler>[0] = {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: '',
    headers: { 'content-type': 'application/json' },
    requestContext: {
      accountId: '0',
      apiId: 'bench',
      domainName: 'handbill.test',
      domainPrefix: 'bench',
      http: {
        method: 'POST',
        path,
        protocol: 'HTTP/1.1',
        sourceIp: '192.0.2.1',
        userAgent: 'bench',
      },
      requestId,
      routeKey,
      stage: '$default',
      time: '',
      timeEpoch: Date.now(),
    },
    body: JSON.stringify(body(email)),
    isBase64Encoded: false,
  };
  const started = performance.now();
  const result = await handler(event, {
    awsRequestId: requestId,
    functionName: 'bench',
  } as Context);
  const ms = performance.now() - started;
  if (result.statusCode === status) return ms;
  throw new Error(`${routeKey} answered ${result.statusCode}: ${result.body}`);
};

interface Samples {
  readonly known: number[];
  readonly unknown: number[];
}

const newEmail = () => `${randomUUID()}@example.com`;

const newAccounts = async (count: number): Promise<string[]> => {
  const passwordHash = await hashPassword('correct horse');
  const emails = Array.from({ length: count }, newEmail);
  for (const email of emails) {
    await create(
      { email, name: 'Ann Example', role: 'user', passwordHash },
      systemRecorder('user.create'),
    );
  }
  return emails;
};

/** Measures pairs of a known and an unknown email address in turn; each pair has separate addresses. */
const measure = async (operation: Operation, pairs: number): Promise<Samples> => {
  const samples: Samples = { known: [], unknown: [] };
  // Created before, because writes slow down the next request.
  const accounts = await newAccounts(warmUpPairs + pairs);
  const step = progressBar(operation.name, accounts.length);
  for (const [pair, email] of accounts.entries()) {
    const both = [
      ['known', email],
      ['unknown', newEmail()],
    ] as const;
    const quickest = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY };
    for (let called = 0; called < operation.calls; called++) {
      // Alternates the order, so that neither is always first.
      for (const [kind, its] of (pair + called) % 2 === 0 ? both : both.toReversed()) {
        quickest[kind] = Math.min(quickest[kind], await time(operation, its));
      }
    }
    if (pair >= warmUpPairs) {
      samples.known.push(quickest.known);
      samples.unknown.push(quickest.unknown);
    }
    step();
  }
  return samples;
};

const readPairs = (args: readonly string[]): number => {
  const { values } = parseArgs({
    args: [...args],
    options: { pairs: { type: 'string', default: '40' } },
  });
  const pairs = Number(values.pairs);
  if (Number.isInteger(pairs) && pairs >= fewestPairs) return pairs;
  throw new Error(`--pairs wants a whole number from ${fewestPairs}`);
};

const measureAll = async (pairs: number): Promise<void> => {
  const rows: string[][] = [];
  const tooFar: string[] = [];
  for (const operation of operations) {
    const { known, unknown } = await measure(operation, pairs);
    const [ofKnown, ofUnknown] = [median(known), median(unknown)];
    const ratio = ofKnown / ofUnknown;
    rows.push([
      operation.name,
      String(operation.calls),
      ofKnown.toFixed(1),
      ofUnknown.toFixed(1),
      ratio.toFixed(3),
    ]);
    if (Math.max(ratio, 1 / ratio) > 1 + tolerance) tooFar.push(operation.name);
  }
  process.stdout.write(textTable(['request', 'calls', 'known, ms', 'unknown, ms', 'ratio'], rows));
  process.stdout.write(
    `\nMedians of ${pairs} interleaved pairs, each the quickest of so many calls, at PASSWORD_COST 10, with the local DynamoDB and queue in the same process.\n${machine()}.\n`,
  );
  if (tooFar.length > 0) {
    throw new Error(`More than ${tolerance * 100} % apart: ${tooFar.join(', ')}`);
  }
};

/** Checks whether response times reveal which email addresses have an account. */
export const login: Benchmark = {
  summary: 'Time of a failed login and of forgot-password, for known and unknown email addresses',
  usage: '[--pairs 40]',
  run: async (args) => {
    const pairs = readPairs(args);
    setEnvironment();
    const [table, queue] = [await startDynamoDb({}), openLocalQueues(':memory:')];
    try {
      process.env['AWS_ENDPOINT_URL_DYNAMODB'] = table.endpoint;
      await ensureTable(tableName());
      await measureAll(pairs);
    } finally {
      await table.close();
      queue.close();
    }
  },
};
