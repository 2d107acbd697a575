import type { SQSRecord } from 'aws-lambda';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { recordEvent } from '../../../functions/api/webhooks/delivering/record-event.ts';
import { handler } from '../../../functions/jobs/index.ts';
import { lambdaContext } from '../../../infra/local/lambda-context.ts';
import { OutboundError } from '../../../shared/outbound/outbound-error.ts';
import { forEachAtOnce } from '../../../shared/runtime/at-once.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { purgeJobs, queuedJobs, runJobs, runMinute, useJobs } from '../../support/service/jobs.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { newUserOf, type Person } from '../../support/users/test-users.ts';
import { newWebhook, opened, tell } from '../../support/webhooks/webhooks.ts';

/** What stands for all hosts: it decides of each request, and counts. */
const hosts = vi.hoisted(() => ({
  answer: async (_url: string): Promise<number> => 204,
  running: new Map<string, number>(),
  most: { ofOne: 0, inAll: 0 },
  /** The number of requests by address and id of the event. */
  tries: new Map<string, number>(),
}));

vi.mock('../../../shared/outbound/post-public.ts', () => ({
  postPublic: async (url: string, _body: string, headers: Readonly<Record<string, string>>) => {
    const name = `${url} ${headers['webhook-id']}`;
    hosts.tries.set(name, (hosts.tries.get(name) ?? 0) + 1);
    const count = (hosts.running.get(url) ?? 0) + 1;
    hosts.running.set(url, count);
    const all = [...hosts.running.values()].reduce((sum, one) => sum + one, 0);
    hosts.most.ofOne = Math.max(hosts.most.ofOne, count);
    hosts.most.inAll = Math.max(hosts.most.inAll, all);
    try {
      return { status: await hosts.answer(url), start: Buffer.alloc(0) };
    } finally {
      hosts.running.set(url, (hosts.running.get(url) ?? 1) - 1);
    }
  },
}));

useTable();
useJobs();
useVirtualTime('2026-11-21T12:00:00Z');

beforeEach(() => {
  hosts.answer = async () => 204;
  hosts.tries.clear();
  hosts.running.clear();
  hosts.most = { ofOne: 0, inAll: 0 };
});

/** Creates users with webhooks, each at an address of its own. */
const newOwners = async (people: number, each: number): Promise<Person[]> => {
  const owners: Person[] = [];
  for (let made = 0; made < people; made++) {
    const owner = await newUserOf('user');
    owners.push(owner);
    for (let hook = 0; hook < each; hook++) {
      await newWebhook(owner, { url: `https://hooks.example.com/${owner.id}/${hook}` });
      // A user changes 60 in ten minutes.
      pass(30_000);
    }
  }
  return owners;
};

const toRecord = (body: string): SQSRecord =>
  ({ messageId: body, body, attributes: { ApproximateReceiveCount: '1' } }) as unknown as SQSRecord;

/** Takes batches of ten, as an event source does that runs one at a time. */
const takeBatches = async (queue: string[]): Promise<void> => {
  while (queue.length > 0) {
    const context = lambdaContext('batch', Date.now() + 60_000);
    const { batchItemFailures = [] } =
      (await handler({ Records: queue.splice(0, 10).map(toRecord) }, context)) ?? {};
    expect(batchItemFailures).toEqual([]);
  }
};

describe('a webhook that hangs', () => {
  it('delays none of 1,000 that don’t', async () => {
    const slow = await newUserOf('user');
    await newWebhook(slow, { url: 'https://slow.example.com/' });
    const owners = await newOwners(50, 20);
    for (let told = 0; told < 20; told++) await tell(slow);
    for (const owner of owners) await tell(owner);
    const events = (await queuedJobs()).filter((body) => body.includes('webhook-event'));
    purgeJobs();
    await takeBatches([...events]);
    // One for each webhook, however many events wait: that of the one that hangs is the first.
    const deliveries = (await queuedJobs()).filter((body) => body.includes('webhook-delivery'));
    purgeJobs();
    expect(deliveries).toHaveLength(1_001);

    const { promise: hanging, reject: end } = Promise.withResolvers<number>();
    const { promise: allDelivered, resolve } = Promise.withResolvers<void>();
    let delivered = 0;
    hosts.answer = async (url) => {
      if (url.startsWith('https://slow.')) return hanging;
      if (++delivered === 1_000) resolve();
      return 204;
    };
    const sources = Promise.all([takeBatches(deliveries), takeBatches(deliveries)]);
    await allDelivered;
    expect(hosts.running.get('https://slow.example.com/')).toBe(1);
    end(new OutboundError('late', 'has a host that does not answer in time'));
    await sources;
    expect(hosts.most.inAll).toBeLessThanOrEqual(20 * 3);
    // It rests now: of its other events, none is tried.
    await runJobs();
    expect(
      [...hosts.tries]
        .filter(([name]) => name.startsWith('https://slow.'))
        .map(([, count]) => count),
    ).toEqual([1]);
  }, 600_000);
});

/** A number from 0 to 1 that looks random, the same in each run. */
const createRandom = () => {
  let state = 20_261_121;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
};

describe('10,000 deliveries of which 30 % fail', () => {
  it('each happen at least once and at most five times, three of a webhook at once', async () => {
    const random = createRandom();
    hosts.answer = async () => {
      const chance = random();
      if (chance < 0.15) throw new OutboundError('silent', 'has a host that does not answer');
      return chance < 0.3 ? 500 : 204;
    };
    // A user has 1,000 deliveries an hour.
    const owners = await newOwners(10, 10);
    const events = Array.from({ length: 100 }, (_, at) => at);
    await forEachAtOnce(
      owners.flatMap(({ id }) => events.map((at) => [id, at] as const)),
      20,
      ([id, at]) =>
        recordEvent(id, {
          id: `evt_${at}`,
          type: 'share.opened',
          timestamp: new Date(Date.now() + at).toISOString(),
          data: opened,
        }),
    );
    await runJobs();
    for (const minutes of [1, 10, 60, 285, 1]) {
      pass(minutes * 60_000);
      await runMinute();
      await runJobs();
      await runMinute();
      await runJobs();
    }
    const tries = [...hosts.tries].filter(([name]) => /evt_\d+$/.test(name));
    const counts = tries.map(([, count]) => count);
    expect(counts).toHaveLength(10_000);
    expect([Math.min(...counts), Math.max(...counts)]).toEqual([1, 5]);
    expect(hosts.most.ofOne).toBeLessThanOrEqual(3);
    expect(hosts.most.inAll).toBeLessThanOrEqual(20 * 3);
    const left = (await itemsOf('WEBHOOK#')).filter(({ id }) => /-evt_\d+$/.test(String(id)));
    expect(left.filter(({ sk }) => sk.startsWith('DUE#'))).toEqual([]);
    const statuses = left.map(({ status }) => status);
    expect(statuses.filter((status) => status === 'waiting')).toEqual([]);
    // 0.3⁵ of 10,000 are 24.
    expect(statuses.filter((status) => status === 'failed').length).toBeLessThan(60);
  }, 900_000);
});
