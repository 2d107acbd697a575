import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { busClient, putAll } from '../../../functions/jobs/event-bus/put-events.ts';
import { createChangeRecorder, systemRecorder } from '../../../shared/audit/audit-log.ts';
import { transact } from '../../../shared/db/transaction.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { minuteLater, runJobs, runMinute, useJobs } from '../../support/service/jobs.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { view } from '../../support/shares/shares.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();

interface Entry {
  readonly Source: string;
  readonly DetailType: string;
  readonly Detail: string;
  readonly EventBusName: string;
  readonly Time: number;
}

let server: Server;
let requests: Entry[][] = [];
/** How the bus answers an entry: an error code, or nothing. */
let refuse: (entry: Entry, request: number) => string | undefined = () => undefined;
let status = 200;

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const { Entries } = JSON.parse(Buffer.concat(parts).toString()) as { Entries: Entry[] };
      requests.push(Entries);
      const answers = Entries.map((entry) => {
        const code = refuse(entry, requests.length);
        return code ? { ErrorCode: code, ErrorMessage: 'no' } : { EventId: 'an-id' };
      });
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
      response.end(
        JSON.stringify({
          Entries: answers,
          FailedEntryCount: answers.filter((answer) => 'ErrorCode' in answer).length,
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', `http://127.0.0.1:${port}`);
});
afterAll(async () => {
  busClient().destroy();
  await new Promise((resolve) => server.close(resolve));
  vi.unstubAllEnvs();
});
beforeEach(() => {
  requests = [];
  status = 200;
  refuse = () => undefined;
  vi.stubEnv('EVENT_BUS', 'default');
});
afterEach(() => {
  vi.stubEnv('EVENT_BUS', undefined);
});

const { ann } = useNewPeople({ ann: newPerson });

const detailsOf = (): Record<string, unknown>[] =>
  requests.flat().map(({ Detail, DetailType }) => ({
    ...(JSON.parse(Detail) as object),
    type: DetailType,
  }));

const message = (id: string, count = 1) => ({
  id,
  data: {
    events: Array.from({ length: count }, (_, at) => ({
      id: `evt_${id}_${at}`,
      type: 'share.ended',
      timestamp: '2026-11-21T12:00:00.000Z',
      data: { at },
      userId: 1,
    })),
  },
});

describe('the event bus', () => {
  it('gets the events of a user without webhooks', async () => {
    const { newShare, end } = sharesOf(ann);
    const id = await newShare({ viewLimit: 3 });
    await view(id);
    await end(id);
    await runMinute();
    await runJobs();
    await minuteLater();
    const own = requests
      .flat()
      .filter(({ DetailType }) => /^share\.(opened|ended)$/.test(DetailType));
    expect(own.map(({ Source, EventBusName }) => [Source, EventBusName])).toEqual([
      ['handbill', 'default'],
      ['handbill', 'default'],
    ]);
    expect(detailsOf().filter(({ userId }) => userId === ann.id)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          id: expect.stringMatching(/^evt_/),
          type: 'share.ended',
          timestamp: '2026-11-21T12:00:00.000Z',
          stage: 'local',
          userId: ann.id,
          data: expect.objectContaining({ by: 'owner', how: 'ended', views: 1 }),
        }),
      ]),
    );
  });

  it('gets what is in the audit, each once, which belongs to nobody', async () => {
    await runMinute();
    pass(60_000);
    for (let count = 0; count < 23; count++) {
      await transact(systemRecorder('job.retry').steps({ subject: 'job:1' }));
    }
    await minuteLater();
    await minuteLater();
    const retried = detailsOf().filter(({ type }) => type === 'job.retry');
    expect(retried).toHaveLength(23);
    expect(new Set(retried.map((detail) => detail['id'])).size).toBe(23);
    expect(retried.every((detail) => !('userId' in detail))).toBe(true);
    expect(requests.every((entries) => entries.length <= 10)).toBe(true);
  });

  it('gets ten events a request', async () => {
    expect(await putAll([message('a', 10), message('b'), message('c', 4)])).toEqual(new Map());
    expect(requests.map((entries) => entries.length)).toEqual([10, 5]);
  });

  it('gets again what it refused, and nothing else', async () => {
    refuse = ({ Detail }) => (Detail.includes('evt_b') ? 'ThrottlingException' : undefined);
    const failed = await putAll([message('a'), message('b'), message('c')]);
    expect([...failed.keys()]).toEqual(['b']);
    expect(failed.get('b')).toMatchObject({ name: 'EventRefused', message: 'ThrottlingException' });
  });

  it('gets all again after a request that failed', async () => {
    status = 400;
    const failed = await putAll([message('a'), message('b')]);
    expect([...failed.keys()]).toEqual(['a', 'b']);
  });
});

it('gets nothing while it is off, and nothing is written for it', async () => {
  vi.stubEnv('EVENT_BUS', undefined);
  const { newShare, end } = sharesOf(ann);
  await end(await newShare());
  await transact(
    createChangeRecorder('job.retry', undefined, { address: '', requestId: '' }).steps({
      subject: 'job:1',
    }),
  );
  await minuteLater();
  expect(requests).toEqual([]);
});
