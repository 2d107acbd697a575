import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  DynamoDBDocumentClient,
  type NativeAttributeValue,
  paginateScan,
} from '@aws-sdk/lib-dynamodb';
import { onTestFinished } from 'vitest';
import { schema } from '../../../shared/db/key.ts';
import { type FreshProcess, idleServices, type StoredItem } from './idle-services.ts';
import {
  captureOutput,
  keepSigningSecret,
  type Launched,
  launch,
  readAddresses,
  send,
  startProcess,
  temporaryFolder,
  waitUntilReady,
} from './process.ts';
import { keepSecretsOf } from './secrets.ts';

/** The super_admin of each fresh service. */
export const admin = { email: 'root@example.com', password: 'correct horse' } as const;

const TableName = 'handbill';
const maxWrites = 25;

/** Connects to the table of a service. */
export const connectToTable = ({
  dynamoDbUrl,
  accessKey,
}: Pick<ReturnType<typeof readAddresses>, 'dynamoDbUrl' | 'accessKey'>) =>
  DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint: dynamoDbUrl, region: 'eu-west-1', credentials: accessKey }),
  );

const readItems = async (client: DynamoDBDocumentClient): Promise<StoredItem[]> => {
  const items: StoredItem[] = [];
  for await (const page of paginateScan({ client }, { TableName })) {
    items.push(...(page.Items ?? []));
  }
  return items;
};

const keyOf = (item: StoredItem): Record<string, NativeAttributeValue> => ({
  [schema.partitionKey]: item[schema.partitionKey],
  [schema.sortKey]: item[schema.sortKey],
});

/** Replaces the items of the table by those after the start. */
const restoreItems = async ({ launched, items }: FreshProcess): Promise<void> => {
  const client = connectToTable(readAddresses(launched.output()));
  const kept = new Set(items.map((item) => JSON.stringify(keyOf(item))));
  const others = (await readItems(client)).map(keyOf);
  const writes = [
    ...others
      .filter((key) => !kept.has(JSON.stringify(key)))
      .map((Key) => ({ DeleteRequest: { Key } })),
    ...items.map((Item) => ({ PutRequest: { Item } })),
  ];
  for (let at = 0; at < writes.length; at += maxWrites) {
    const RequestItems = { [TableName]: writes.slice(at, at + maxWrites) };
    await client.send(new BatchWriteCommand({ RequestItems }));
  }
  client.destroy();
};

/** How often to ask whether the jobs are done, with pauses of `pauseMs`, before another process serves. */
const maxQuestions = 100;
const pauseMs = 50;

/** Waits until the jobs of earlier tests, whose records are gone, are done. Returns whether they are. */
const finishJobs = async ({ launched }: FreshProcess): Promise<boolean> => {
  const { url } = readAddresses(launched.output());
  const { body } = await send(`${url}/api/auth/login`, { method: 'POST', body: admin });
  for (let question = 0; question < maxQuestions; question++) {
    const health = await send(`${url}/api/settings/health`, { token: body.token });
    const { waiting, running, delayed } = health.body.data.jobs;
    if (waiting + running + delayed === 0) return true;
    await setTimeout(pauseMs);
  }
  return false;
};

/** Makes an idle process as after its start. Returns `undefined` if it still has jobs. */
const renew = async (known: FreshProcess): Promise<FreshProcess | undefined> => {
  // The super_admin may have another password.
  await restoreItems(known);
  if (!(await finishJobs(known))) return undefined;
  // Jobs and the sign-in have written meanwhile.
  await restoreItems(known);
  return known;
};

/** Lets this process end before the service. */
const unref = ({ child }: Launched): void => {
  child.unref();
  for (const handle of [child.channel, child.stdout, child.stderr]) {
    (handle as { unref?(): void } | undefined)?.unref?.();
  }
};

const start = async (settings: Record<string, string>): Promise<FreshProcess> => {
  const folder = await mkdtemp(join(tmpdir(), 'handbill-'));
  const launched = launch(
    {
      DATA_DIR: folder,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      // Tests that share a process also share its limits.
      RATE_LIMIT_FACTOR: '1000',
      ...settings,
    },
    [],
    join(import.meta.dirname, 'exit-with-parent.ts'),
  );
  await waitUntilReady(launched);
  unref(launched);
  const client = connectToTable(readAddresses(launched.output()));
  const items = await readItems(client);
  client.destroy();
  return { launched, folder, items };
};

/**
 * Returns a service with these settings whose table is as after its start, for this test. Processes are started when none
 * with these settings is idle, and serve one test after another.
 */
export const startFreshService = async (settings: Record<string, string> = {}) => {
  const name = JSON.stringify(settings);
  const idle = idleServices.get(name) ?? [];
  idleServices.set(name, idle);
  const last = idle.pop();
  const known = last && (await renew(last));
  if (last && !known) idle.unshift(last);
  const service = known ?? (await start(settings));
  const { launched, folder } = service;
  const { output, errors } = launched;
  const [from, errorsFrom] = known ? [output().length, errors().length] : [0, 0];
  keepSecretsOf(settings);
  await keepSigningSecret({ DATA_DIR: folder, ...settings });
  onTestFinished(() => {
    captureOutput(output(), from);
    captureOutput(errors(), errorsFrom);
    if (launched.child.exitCode === null) idle.push(service);
  });
  return { ...readAddresses(output()), output };
};

export type FreshService = Awaited<ReturnType<typeof startFreshService>>;

/** Starts a process for this test alone, whose queues, bucket and emails are new too. */
export const startOwnService = async (): Promise<FreshService> =>
  startProcess({
    DATA_DIR: await temporaryFolder(),
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  });
