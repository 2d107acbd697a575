import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { DescribeTimeToLiveCommand, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { paginateQuery, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type DynamoDbEngine,
  EngineStartError,
  startDynamoDb,
} from '../../../../infra/local/aws/dynamodb/engine.ts';
import {
  clientsOf,
  createTable,
  errorOf,
  fulfilled,
  increment,
  itemsOf,
  TableName,
  times,
} from '../../../support/table/local-dynamodb.ts';

describe('the folder and the port', () => {
  let folder: string;
  let file: string;
  const open: DynamoDbEngine[] = [];
  const start = async (options: { path?: string; port?: number }) => {
    const engine = await startDynamoDb(options);
    open.push(engine);
    return engine;
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dynamodb-'));
    file = join(folder, 'dynamodb.db');
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((engine) => engine.close()));
    await rm(folder, { recursive: true });
  });

  it('keep tables, items, indexes and time to live', async () => {
    const path = join(folder, 'made', 'when missing', 'dynamodb.db');
    const first = await start({ path });
    const before = clientsOf(first.endpoint);
    await createTable(before.client);
    await itemsOf(before.doc).put({ pk: 'a', gsi1pk: 'group', gsi1sk: '1', content: 'kept ✓' });
    await before.client.send(
      new UpdateTimeToLiveCommand({
        TableName,
        TimeToLiveSpecification: { Enabled: true, AttributeName: 'ttl' },
      }),
    );
    await first.close();

    const second = await start({ path });
    const { client, doc } = clientsOf(second.endpoint);
    const item = { pk: 'a', sk: '1', gsi1pk: 'group', gsi1sk: '1', content: 'kept ✓' };
    expect(await itemsOf(doc).get('a')).toEqual(item);
    const index = await doc.send(new ScanCommand({ TableName, IndexName: 'gsi1' }));
    expect(index.Items).toEqual([item]);
    const { TimeToLiveDescription } = await client.send(
      new DescribeTimeToLiveCommand({ TableName }),
    );
    expect(TimeToLiveDescription).toEqual({
      TimeToLiveStatus: 'ENABLED',
      AttributeName: 'ttl',
    });
  });

  it('reject a file in use by name, and accept it once free', async () => {
    const first = await start({ path: file });
    const error = await errorOf(startDynamoDb({ path: file }));
    expect(error).toBeInstanceOf(EngineStartError);
    expect(error).toMatchObject({
      code: 'FOLDER_IN_USE',
      message: expect.stringContaining(folder),
    });
    await first.close();
    await start({ path: file });
  });

  it('reject a port in use by number, and release the file', async () => {
    const { port } = new URL((await start({})).endpoint);
    expect(await errorOf(startDynamoDb({ path: file, port: Number(port) }))).toMatchObject({
      name: 'EngineStartError',
      code: 'PORT_IN_USE',
      message: expect.stringContaining(port),
    });
    await start({ path: file });
  });

  it('reject a store that can’t be opened', async () => {
    const broken = { name: 'EngineStartError', code: 'STORE_CORRUPT' };
    expect(await errorOf(startDynamoDb({ path: folder }))).toMatchObject({
      ...broken,
      message: expect.stringContaining(folder),
    });
    await writeFile(file, 'garbage'.repeat(1_000));
    expect(await errorOf(startDynamoDb({ path: file }))).toMatchObject(broken);
  });

  it('close with open connections, complete running requests, and close twice', async () => {
    const engine = await start({ path: file });
    const { client, doc } = clientsOf(engine.endpoint);
    await createTable(client);
    const stuck = connect(Number(new URL(engine.endpoint).port), '127.0.0.1');
    stuck.on('error', () => {});
    stuck.write(
      'POST / HTTP/1.1\r\nHost: localhost\r\nAuthorization: AWS4-x\r\nContent-Length: 9\r\n\r\nhalf',
    );
    const ended = once(stuck, 'close');
    await once(stuck, 'connect');
    const responses = times(20, (index) => itemsOf(doc).put({ pk: `p${index}` }));
    await itemsOf(doc).put({ pk: 'first' });
    await Promise.all([engine.close(), engine.close()]);
    await ended;
    const acknowledged = fulfilled(await responses);

    const again = clientsOf((await start({ path: file })).endpoint);
    const { Count } = await again.doc.send(new ScanCommand({ TableName }));
    expect(Count).toBeGreaterThanOrEqual(acknowledged + 1);
  });

  describe('a killed process', () => {
    const main = `
      import { startDynamoDb } from ${JSON.stringify(
        new URL('../../../../infra/local/aws/dynamodb/engine.ts', import.meta.url).href,
      )};
      const { endpoint } = await startDynamoDb({ path: process.argv[1] });
      console.log(endpoint);
    `;
    let child: ChildProcess;

    const startChild = async (): Promise<string> => {
      child = spawn(process.execPath, ['--input-type=module', '--eval', main, file], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [endpoint] = await once(createInterface(child.stdout as Readable), 'line');
      return endpoint;
    };
    const kill = async () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    };

    afterEach(async () => {
      if (child.exitCode === null && child.signalCode === null) await kill();
    });

    /** KILL_ROUNDS=200 kills as many processes, one after another, on the same file. */
    const rounds = Number(process.env['KILL_ROUNDS'] ?? 1);
    const parts = ['a', 'b', 'c'];
    const gsi1 = { IndexName: 'gsi1', KeyConditionExpression: 'gsi1pk = :pk' };

    const missing = (confirmed: Set<string>, stored: string[]): string[] => {
      const found = new Set(stored);
      return [...confirmed].filter((sk) => !found.has(sk));
    };

    /** Writes until the process is killed. Adds the sort keys of confirmed transactions and items. */
    const writeAndKill = async (round: number, whole: Set<string>, plain: Set<string>) => {
      const { client, doc } = clientsOf(await startChild());
      if (round === 0) await createTable(client);
      let [sent, confirmed] = [0, 0];
      const write = async () => {
        const sk = `${round}-${sent++}`;
        const x = 'x'.repeat(1000);
        await itemsOf(doc).transact([
          { Update: increment('count') },
          ...parts.map((pk) => ({
            Put: { TableName, Item: { pk, sk, gsi1pk: pk, gsi1sk: sk, x } },
          })),
        ]);
        whole.add(sk);
        confirmed++;
      };
      const writePlain = async (sk: string) => {
        await itemsOf(doc).put({ pk: 'plain', sk, gsi1pk: 'plain', gsi1sk: sk });
        plain.add(sk);
      };
      const writers = times(40, async (index) => {
        for (let n = 0; ; n++) {
          if (index % 2) await write();
          else await writePlain(`${round}-${index}-${n}`);
        }
      });
      const until = 1 + Math.floor(Math.random() * 200);
      await expect.poll(() => confirmed, { interval: 1 }).toBeGreaterThan(until);
      await kill();
      await writers;
      client.destroy();
    };

    it(
      'keeps each transaction whole, and all confirmed ones',
      async () => {
        const [whole, plain] = [new Set<string>(), new Set<string>()];
        for (let round = 0; round < rounds; round++) {
          await writeAndKill(round, whole, plain);
          const engine = await startDynamoDb({ path: file });
          const { client, doc } = clientsOf(engine.endpoint);
          const sorts = async (pk: string, index: object) => {
            const query = {
              TableName,
              ProjectionExpression: 'sk',
              ExpressionAttributeValues: { ':pk': pk },
              KeyConditionExpression: 'pk = :pk',
              ...index,
            };
            const found: string[] = [];
            for await (const { Items = [] } of paginateQuery({ client: doc }, query)) {
              found.push(...Items.map(({ sk }) => sk as string));
            }
            return found;
          };
          const stored = await sorts('a', {});
          for (const pk of parts) {
            expect(await sorts(pk, {})).toEqual(stored);
            expect(await sorts(pk, gsi1)).toEqual(stored);
          }
          const items = await sorts('plain', {});
          expect(await sorts('plain', gsi1)).toEqual(items);
          expect(missing(whole, stored)).toEqual([]);
          expect(missing(plain, items)).toEqual([]);
          expect(await itemsOf(doc).get('count')).toMatchObject({ n: stored.length });
          client.destroy();
          await engine.close();
        }
      },
      30_000 * rounds,
    );
  });
});
