import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { StoredFile } from '../../../functions/api/files/record/file.ts';
import { unfinishedUploads } from '../../../functions/api/files/uploads/expired-uploads.ts';
import { startDynamoDb } from '../../../infra/local/aws/dynamodb/engine.ts';
import { startS3 } from '../../../infra/local/aws/s3/engine.ts';
import { scheduledDeletions } from '../../../shared/storage/scheduled-deletions.ts';
import { formOf, multipartType, objectKeys, sendForm, sha256 } from '../../support/files/files.ts';
import {
  type ServiceProcess,
  send,
  startProcess,
  temporaryFolder,
} from '../../support/run/process.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { credentials } from '../../support/s3/local-s3.ts';
import { sweep } from '../../support/service/sweeps.ts';
import { itemsOf } from '../../support/table/table.ts';
import { atExchange } from '../support/faults/at-exchange.ts';

useVirtualTime(new Date().toISOString());

const admin = { email: 'root@example.com', password: 'correct horse' };
const size = 200_000;

/** States of files by checksum: may exist, must exist, or must not exist. */
const known = new Map<string, 'there' | 'gone' | 'open'>();

beforeEach(() => {
  // Uses the real clock, because request signatures depend on it.
  vi.setSystemTime(vi.getRealSystemTime());
  known.clear();
});

type Sent = Awaited<ReturnType<typeof send>>;

const unlessKilled = <Answer>(sent: Promise<Answer>): Promise<Answer | undefined> =>
  sent.catch(() => undefined);

/** Creates a client of one run of the service. */
const clientOf = async ({ url }: ServiceProcess) => {
  const { body } = await send(`${url}/api/auth/login`, { method: 'POST', body: admin });
  const token: string = body.accessToken;
  const ask = (method: string, path: string, sent?: object): Promise<Sent> =>
    send(`${url}${path}`, { method, token, ...(sent && { body: sent }) });
  const upload = async (bytes: Buffer): Promise<number> => {
    const response = await fetch(`${url}/api/files/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, connection: 'close', ...multipartType },
      body: new Uint8Array(formOf({ name: 'file', fileName: 'file.bin', content: bytes })),
    });
    const answer = await response.json();
    expect(response.status).toBe(201);
    return (answer as { data: { id: number } }).data.id;
  };
  const bytesOf = async (id: number): Promise<Buffer> => {
    const response = await fetch(`${url}/api/files/${id}/download`, {
      headers: { authorization: `Bearer ${token}`, connection: 'close' },
    });
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  };
  return { ask, upload, bytesOf };
};
type Client = Awaited<ReturnType<typeof clientOf>>;

interface Shown {
  readonly id: number;
  readonly size: number;
  readonly checksum: string;
}

const listed = async ({ ask }: Client): Promise<readonly Shown[]> => {
  const { body } = await ask('GET', '/api/files?pageSize=100');
  expect(body.data.total).toBe(body.data.items.length);
  return body.data.items;
};

/** Checks that every visible file has its bytes, and that usage without reservations is their sum. */
const checkAll = async (client: Client): Promise<void> => {
  const files = await listed(client);
  for (const { id, checksum } of files) {
    expect(sha256(await client.bytesOf(id))).toBe(checksum);
    expect(known.get(checksum)).not.toBe('gone');
    known.set(checksum, 'there');
  }
  for (const [checksum, state] of known) {
    if (files.some((file) => file.checksum === checksum)) continue;
    expect(state).not.toBe('there');
    known.set(checksum, 'gone');
  }
  const { body } = await client.ask('GET', '/api/files/usage');
  expect(body.data.files).toBe(files.length);
  expect(body.data.used).toBeGreaterThanOrEqual(files.length * size);
};

const begin = async ({ ask }: Client, bytes: Buffer): Promise<number> => {
  const { body } = await ask('POST', '/api/files/presign', {
    name: 'file.bin',
    size: bytes.length,
  });
  expect(await sendForm(body.data, bytes)).toBe(201);
  return body.data.id;
};

/** Operations during which the service is killed, with their preparation. */
const works = {
  upload: async (client: Client) => {
    const bytes = randomBytes(size);
    return async () => {
      known.set(sha256(bytes), 'open');
      if (await unlessKilled(client.upload(bytes))) known.set(sha256(bytes), 'there');
    };
  },
  complete: async (client: Client) => {
    const bytes = randomBytes(size);
    const id = await begin(client, bytes);
    return async () => {
      known.set(sha256(bytes), 'open');
      const response = await unlessKilled(client.ask('POST', `/api/files/${id}/complete`));
      if (response?.status === 200) known.set(sha256(bytes), 'there');
    };
  },
  remove: async (client: Client) => {
    const bytes = randomBytes(size);
    const id = await client.upload(bytes);
    known.set(sha256(bytes), 'there');
    return async () => {
      known.set(sha256(bytes), 'open');
      const response = await unlessKilled(client.ask('DELETE', `/api/files/${id}`));
      if (response?.status === 200) known.set(sha256(bytes), 'gone');
    };
  },
} as const;
type Kind = keyof typeof works;

/** Runs one operation, kills the service at the nth exchange, and returns the number of exchanges. */
const workAndKill = async (
  kind: Kind,
  nth: number,
  given: Record<string, string>,
): Promise<number> => {
  const service = await startProcess(given);
  const client = await clientOf(service);
  await checkAll(client);
  const work = await works[kind](client);
  const kill = () => service.child.kill('SIGKILL');
  const seen = await atExchange(nth, kill, work);
  kill();
  await service.stop();
  return seen;
};

/** Ports of the first engines. Later engines reuse them, because clients keep their endpoint. */
let ports = { dynamoDb: 0, s3: 0 };

const portOf = ({ endpoint }: { readonly endpoint: string }) => Number(new URL(endpoint).port);

const startEngines = async (): Promise<Record<string, string>> => {
  const dynamoDb = await startDynamoDb({ port: ports.dynamoDb });
  const s3 = await startS3({ port: ports.s3, credentials });
  ports = { dynamoDb: portOf(dynamoDb), s3: portOf(s3) };
  onTestFinished(async () => {
    await Promise.all([dynamoDb.close(), s3.close()]);
  });
  const endpoints = {
    AWS_ENDPOINT_URL_DYNAMODB: dynamoDb.endpoint,
    AWS_ENDPOINT_URL_S3: s3.endpoint,
  };
  Object.assign(process.env, endpoints);
  return {
    ...endpoints,
    DATA_DIR: await temporaryFolder(),
    TABLE_NAME: process.env['TABLE_NAME'] ?? '',
    FILES_BUCKET: process.env['FILES_BUCKET'] ?? '',
    AWS_ACCESS_KEY_ID: process.env['AWS_ACCESS_KEY_ID'] ?? '',
    AWS_SECRET_ACCESS_KEY: process.env['AWS_SECRET_ACCESS_KEY'] ?? '',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  };
};

/** Checks that only the objects of visible files remain after the cleanup of partial work. */
const checkLeftovers = async (): Promise<void> => {
  pass(8 * 3_600_000);
  await sweep(unfinishedUploads);
  for (let left = 1; left > 0; left = (await itemsOf('DELETIONS')).length)
    await sweep(scheduledDeletions);
  const records = (await itemsOf('FILE#')) as unknown as StoredFile[];
  const ready = records.filter(({ status }) => status === 'ready');
  expect(records.filter(({ status }) => status === 'uploading')).toEqual([]);
  const objects = ready.map(({ object = '' }) => object).toSorted();
  expect((await objectKeys()).toSorted()).toEqual(objects);
  const there = [...known].filter(([, state]) => state === 'there').map(([checksum]) => checksum);
  expect(ready.map(({ checksum = '' }) => checksum).toSorted()).toEqual(there.toSorted());
  const [usage] = (await itemsOf('USER#')).filter(({ sk }) => sk === 'FILES#USAGE');
  expect(usage).toMatchObject({ used: ready.length * size, files: ready.length });
};

describe('a file after a crash of the service', () => {
  // The last exchanges (requests or responses) include all writes. The first sweep sends requests concurrently.
  it.each([
    ['upload', 8],
    ['complete', 16],
    ['remove', 8],
  ] as const)('is fully there or fully absent, at every step of a %s', async (kind, steps) => {
    const given = await startEngines();
    const all = await workAndKill(kind, Number.POSITIVE_INFINITY, given);
    for (let step = 1; step <= steps; step++) {
      await workAndKill(kind, all - steps + step, given);
    }
    const last = await startProcess(given);
    await checkAll(await clientOf(last));
    await last.stop();
    await checkLeftovers();
  });
});
