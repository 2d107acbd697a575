import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { revisionRetentionMs } from '../../../functions/api/share/record/revisions.ts';
import { startDynamoDb } from '../../../infra/local/aws/dynamodb/engine.ts';
import { startS3 } from '../../../infra/local/aws/s3/engine.ts';
import { scheduledDeletions } from '../../../shared/storage/scheduled-deletions.ts';
import {
  type ServiceProcess,
  send,
  startProcess,
  temporaryFolder,
} from '../../support/run/process.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { credentials } from '../../support/s3/local-s3.ts';
import { sweep } from '../../support/service/sweeps.ts';
import { randomText } from '../../support/shares/contents.ts';
import { shareOf, textObjects } from '../../support/shares/objects.ts';
import { view } from '../../support/shares/shares.ts';
import { itemsOf } from '../../support/table/table.ts';
import { atExchange } from '../support/faults/at-exchange.ts';

useVirtualTime(new Date().toISOString());

const killsAsWhole = 4;
const twoMb = 2 * 1024 * 1024;
const admin = { email: 'root@example.com', password: 'correct horse' };

type Sent = Awaited<ReturnType<typeof send>>;

/** Creates a client of one run of the service. */
const clientOf = async ({ url }: ServiceProcess) => {
  const { body } = await send(`${url}/api/auth/login`, { method: 'POST', body: admin });
  const token: string = body.accessToken;
  const ask = (method: string, path: string, sent?: object): Promise<Sent> =>
    send(`${url}${path}`, { method, token, ...(sent && { body: sent }) });
  return {
    ask,
    content: async (id: string): Promise<string | number> => {
      const response = await ask('GET', `/api/share?id=${id}`);
      return response.status === 200 ? response.body.content : response.status;
    },
    /** Returns the ids of all shares, and checks the total of the list. */
    ids: async (): Promise<string[]> => {
      const list = await ask('GET', '/api/share?mine=true&pageSize=100');
      expect(list.body.total).toBe(list.body.items.length);
      return list.body.items.map(({ id }: { id: string }) => id);
    },
  };
};
type Client = Awaited<ReturnType<typeof clientOf>>;

/** The contents that each share may have; several if a change got no response. */
const possible = new Map<string, readonly string[]>();
/** Shares that were checked and not changed since. */
const settled = new Set<string>();
/** Texts of create requests without a response. */
const unanswered = new Set<string>();

beforeEach(() => {
  // Uses the real clock, because request signatures depend on it.
  vi.setSystemTime(vi.getRealSystemTime());
  possible.clear();
  settled.clear();
  unanswered.clear();
});

const unlessKilled = (sent: Promise<Sent>): Promise<Sent | undefined> =>
  sent.catch(() => undefined);

const create = async ({ ask }: Client): Promise<string | undefined> => {
  const content = randomText(twoMb);
  unanswered.add(content);
  const response = await unlessKilled(ask('POST', '/api/share', { content }));
  if (!response) return undefined;
  expect(response.status).toBe(201);
  unanswered.delete(content);
  possible.set(response.body.id, [content]);
  return response.body.id;
};

const change = async ({ ask }: Client, id: string): Promise<void> => {
  const content = randomText(twoMb);
  settled.delete(id);
  possible.set(id, [...(possible.get(id) ?? []), content]);
  const response = await unlessKilled(ask('PUT', `/api/share/${id}`, { content }));
  if (!response) return;
  expect(response.status).toBe(200);
  possible.set(id, [content]);
};

const gone = 'no share';
const remove = async ({ ask }: Client, id: string): Promise<void> => {
  settled.delete(id);
  possible.set(id, [...(possible.get(id) ?? []), gone]);
  const response = await unlessKilled(ask('DELETE', `/api/share/${id}`));
  if (!response) return;
  expect(response.status).toBe(200);
  possible.set(id, [gone]);
};

/** Checks that every share is fully there or fully absent. */
const checkAll = async (client: Client): Promise<void> => {
  const ids = await client.ids();
  for (const id of ids.filter((one) => !settled.has(one))) {
    const content = await client.content(id);
    const texts = possible.get(id) ?? [...unanswered];
    expect(texts.some((text) => text === content)).toBe(true);
    possible.set(id, [String(content)]);
    unanswered.delete(String(content));
    settled.add(id);
  }
  for (const [id, texts] of possible) {
    if (ids.includes(id) || settled.has(id)) continue;
    expect(texts).toContain(gone);
    possible.set(id, [gone]);
    settled.add(id);
    expect(await client.content(id)).toBe(404);
  }
};

const writes = {
  create: (client: Client) => create(client),
  change: (client: Client, id: string) => change(client, id),
  remove: (client: Client, id: string) => remove(client, id),
} as const;
type Kind = keyof typeof writes;

const settings = async () => ({
  DATA_DIR: await temporaryFolder(),
  TABLE_NAME: process.env['TABLE_NAME'] ?? '',
  FILES_BUCKET: process.env['FILES_BUCKET'] ?? '',
  AWS_ACCESS_KEY_ID: process.env['AWS_ACCESS_KEY_ID'] ?? '',
  AWS_SECRET_ACCESS_KEY: process.env['AWS_SECRET_ACCESS_KEY'] ?? '',
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
});

/** Ports of the first engines. Later engines reuse them, because clients keep their endpoint. */
let ports = { dynamoDb: 0, s3: 0 };

/** Starts the engines in this process, on the data of a folder or empty. */
const startEngines = async (folder?: string): Promise<void> => {
  const at = (name: string) => (folder === undefined ? {} : { path: join(folder, name) });
  const dynamoDb = await startDynamoDb({ ...at('dynamodb.db'), port: ports.dynamoDb });
  const s3 = await startS3({ ...at('s3'), port: ports.s3, credentials });
  onTestFinished(async () => {
    await Promise.all([dynamoDb.close(), s3.close()]);
  });
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = dynamoDb.endpoint;
  process.env['AWS_ENDPOINT_URL_S3'] = s3.endpoint;
  const portOf = (endpoint: string) => Number(new URL(endpoint).port);
  ports = { dynamoDb: portOf(dynamoDb.endpoint), s3: portOf(s3.endpoint) };
};

/** Checks that nothing remains of absent shares after the cleanup of partial work. */
const checkLeftovers = async (): Promise<void> => {
  const living = [...possible].filter(([, [text]]) => text !== gone);
  const names = (await itemsOf('SHARE#')).map(({ pk, sk }) => `${pk} ${sk}`);
  const [revisions, items] = [/ REVISION#/, / (?!REVISION#)/].map((kind) =>
    names.filter((name) => kind.test(name)),
  );
  for (const name of revisions ?? []) expect(items).toContain(`${name.split(' ')[0]} SHARE`);
  expect(items?.toSorted()).toEqual(
    living.flatMap(([id]) => [`SHARE#${id} SHARE`, `SHARE#${id} STATE`]).toSorted(),
  );
  pass(revisionRetentionMs + 2 * 3_600_000);
  for (let left = 1; left > 0; left = (await itemsOf('DELETIONS')).length)
    await sweep(scheduledDeletions);
  const objects = (await textObjects()).map(shareOf);
  expect(objects.toSorted()).toEqual(living.map(([id]) => id).toSorted());
  for (const [id, [text]] of living) expect((await view(id)).body.content === text).toBe(true);
};

/** Runs one write, kills the service at the nth exchange, and returns the number of exchanges. */
const writeAndKill = async (
  kind: Kind,
  nth: number,
  given: Awaited<ReturnType<typeof settings>>,
): Promise<number> => {
  const service = await startProcess(given);
  const client = await clientOf(service);
  await checkAll(client);
  const target = kind === 'create' ? '' : ((await create(client)) ?? '');
  const kill = () => service.child.kill('SIGKILL');
  const seen = await atExchange(nth, kill, () => writes[kind](client, target));
  kill();
  await service.stop();
  return seen;
};

describe('a large share after a crash of the service', () => {
  // The last exchanges (requests or responses) include all writes. The first sweep sends requests concurrently.
  it.each([
    ['create', 10],
    ['change', 10],
    ['remove', 2],
  ] as const)('is fully there or fully absent, at every step of a %s', async (kind, steps) => {
    await startEngines();
    const given = {
      ...(await settings()),
      AWS_ENDPOINT_URL_DYNAMODB: process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '',
      AWS_ENDPOINT_URL_S3: process.env['AWS_ENDPOINT_URL_S3'] ?? '',
    };
    const all = await writeAndKill(kind, Number.POSITIVE_INFINITY, given);
    for (let step = 1; step <= steps; step++) {
      await writeAndKill(kind, all - steps + step, given);
    }
    const last = await startProcess(given);
    await checkAll(await clientOf(last));
    await last.stop();
    // At least one upload was complete before its record existed.
    if (kind !== 'remove') {
      const living = [...possible].filter(([, [text]]) => text !== gone);
      expect((await textObjects()).length).toBeGreaterThan(living.length);
    }
    await checkLeftovers();
  });

  it('is complete or absent after the table and bucket crash too', async () => {
    const given = await settings();
    let ms = Number.POSITIVE_INFINITY;
    for (let round = 0; round <= killsAsWhole; round++) {
      const service = await startProcess(given);
      const client = await clientOf(service);
      await checkAll(client);
      const [changed = '', removed = ''] = [await create(client), await create(client)];
      const started = performance.now();
      const work = Promise.all([
        create(client),
        change(client, changed),
        create(client),
        remove(client, removed),
        create(client),
      ]);
      // The first round is not interrupted, to measure its duration.
      if (round > 0) await Promise.race([work, wait((ms * round) / killsAsWhole)]);
      else await work;
      if (round === 0) ms = performance.now() - started;
      service.child.kill('SIGKILL');
      await Promise.all([work, service.stop()]);
    }
    const last = await startProcess(given);
    await checkAll(await clientOf(last));
    await last.stop();
    await startEngines(given.DATA_DIR);
    await checkLeftovers();
  });
});
