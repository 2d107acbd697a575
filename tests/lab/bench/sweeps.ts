import { parseArgs } from 'node:util';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { eventReminders } from '../../../functions/api/calendar/reminders/reminders.ts';
import { endedShares } from '../../../functions/api/share/ending/expiry.ts';
import { reconcileUser } from '../../../functions/api/users/reconcile.ts';
import { removeUser } from '../../../functions/api/users/record/users.ts';
import { handler } from '../../../functions/jobs/index.ts';
import { lambdaContext } from '../../../infra/local/lambda-context.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import { listShards } from '../../../shared/db/key.ts';
import { getQueueUrl } from '../../../shared/jobs/job-queue.ts';
import { sweepDeadline, sweepShard } from '../../../shared/schedule/due-work.ts';
import type { ScheduledWork } from '../../../shared/schedule/scheduled-work.ts';
import { storageKeys } from '../../../shared/storage/keys.ts';
import { scheduledDeletions } from '../../../shared/storage/scheduled-deletions.ts';
import { readItems } from '../../support/service/state.ts';
import { putItems } from '../../support/table/batch-writes.ts';
import { meterAws } from '../../support/table/meter.ts';
import { textTable } from '../support/text-table.ts';
import type { Benchmark } from './support/benchmark.ts';
import { machine } from './support/machine.ts';
import { byCalls, byCpu, callMs, type Measured, measure, rateOf } from './sweeps/model.ts';
import { makeRecords, newOwner, type Owner } from './sweeps/records.ts';
import { type Site, startSite } from './sweeps/site.ts';

type Meter = ReturnType<typeof meterAws>;

const hourMs = 3_600_000;

/** The functions that work at the same time: the default jobConcurrency. */
const functions = 2;

/** Jobs of a batch, as the stack delivers them. */
const batchSize = 100;

const write = (text: string) => process.stdout.write(text);

/** A line of the report: what was measured, how many jobs do it at once, and the goal per second. */
interface Line {
  readonly name: string;
  readonly one: Measured;
  readonly jobs: number;
  readonly goal: number;
}

const countIn = async (pattern: RegExp): Promise<number> =>
  (await readItems()).filter(({ pk, sk }) => pattern.test(`${pk}|${sk}`)).length;

/** Sweeps each shard of some work, and measures all of them together as if one job did it. */
const sweepAll = (meter: Meter, work: ScheduledWork, records: number): Promise<Measured> =>
  measure(meter, records, async () => {
    for (const shard of listShards(work.due)) {
      const { isAtEnd, error } = await sweepShard(work, shard, sweepDeadline());
      if (error !== undefined) throw error;
      if (!isAtEnd) throw new Error(`${work.name} did not get to the end`);
    }
  });

const assertNone = async (pattern: RegExp): Promise<void> => {
  const left = await countIn(pattern);
  if (left > 0) throw new Error(`${left} items are left: ${pattern}`);
};

const measureEnds = async (site: Site, meter: Meter, owners: readonly Owner[], size: number) => {
  const expiresAt = new Date(Date.now() + hourMs).toISOString();
  await makeRecords(site, 'POST /api/share', size, owners, { content: '# Hi', expiresAt });
  await site.pass(hourMs + 121_000);
  const one = await sweepAll(meter, endedShares, size);
  await assertNone(/\|END$/);
  return one;
};

const measureDeletions = async (meter: Meter, size: number) => {
  const at = new Date().toISOString();
  const keys = Array.from({ length: size }, (_, name) => `texts/none/${name}`);
  await putItems(keys.map((key) => ({ ...storageKeys.deletion.at({ at, key }), key })));
  const one = await sweepAll(meter, scheduledDeletions, size);
  await assertNone(/^DELETIONS#/);
  return one;
};

const measureReminders = async (
  site: Site,
  meter: Meter,
  owners: readonly Owner[],
  size: number,
) => {
  const [start, end] = [2, 3].map((hours) => new Date(Date.now() + hours * hourMs).toISOString());
  const event = { title: 'A meeting', start, end, reminders: [60] };
  await makeRecords(site, 'POST /api/calendar/events', size, owners, event);
  await site.pass(hourMs);
  return sweepAll(meter, eventReminders, size);
};

const receive = async (): Promise<SQSRecord[]> => {
  const client = new SQSClient({});
  const records: SQSRecord[] = [];
  while (records.length < batchSize) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: getQueueUrl('work'),
        MaxNumberOfMessages: 10,
        VisibilityTimeout: 3_600,
      }),
    );
    if (Messages.length === 0) break;
    for (const { MessageId = '', Body = '' } of Messages) {
      const attributes = { ApproximateReceiveCount: '1' };
      records.push({ messageId: MessageId, body: Body, attributes } as SQSRecord);
    }
  }
  client.destroy();
  return records;
};

/** Delivers the reminders that were swept, and measures all batches together as if one function did it. */
const measureDeliveries = async (meter: Meter, size: number) => {
  const batches: SQSRecord[][] = [];
  for (let Records = await receive(); Records.length > 0; Records = await receive()) {
    batches.push(Records);
  }
  const one = await measure(meter, batches.flat().length, async () => {
    for (const Records of batches) {
      const response = await handler({ Records }, lambdaContext('bench', Date.now() + 60_000));
      if (response?.batchItemFailures.length !== 0) throw new Error('A reminder failed');
    }
  });
  const notified = await countIn(/^USER#\d+\|NOTIFICATION#/);
  if (one.records !== size || notified < size) throw new Error(`${notified} were notified`);
  return one;
};

const measureRemoval = async (
  site: Site,
  meter: Meter,
  endpoint: string,
  size: number,
  body: object,
) => {
  const owner = await newOwner();
  await makeRecords(site, endpoint, size, [owner], body);
  await removeUser(owner.id, () => undefined, undefined, systemRecorder('user.delete'));
  const removal = { userId: owner.id, removedAt: Date.now() };
  const one = await measure(meter, size, async () => {
    for (let part = 0; part < parts; part++) await reconcileUser({ ...removal, part });
  });
  await reconcileUser(removal);
  const left = (await readItems()).filter(
    ({ sk, ownerId, authorId }) =>
      /^(SHARE|DOCUMENT)$/.test(sk) && (ownerId ?? authorId) === owner.id,
  );
  if (left.length > 0) throw new Error(`${left.length} records are left`);
  return one;
};

const parts = 16;

const round = (value: number): string => value.toFixed(value < 10 ? 1 : 0);

/** Returns whether the goal is met with the default jobConcurrency, or with which one. */
const judge = (one: Measured, jobs: number, goal: number): string => {
  if (rateOf(one, jobs, functions) >= goal) return 'met';
  return jobs * byCalls(one) < goal ? 'MISSED' : `by ${Math.ceil(goal / byCpu(one))} functions`;
};

const report = (lines: readonly Line[]): string =>
  textTable(
    [
      '',
      'of',
      'CPU ms',
      'RU',
      'WU',
      'trips',
      'a job waits',
      'a function computes',
      'jobs',
      'a second',
      'goal',
      '',
    ],
    lines.map(({ name, one, jobs, goal }) => {
      const { records, cpuMs, used } = one;
      const rate = rateOf(one, jobs, functions);
      return [
        name,
        String(records),
        (cpuMs / records).toFixed(2),
        (used.readUnits / records).toFixed(2),
        (used.writeUnits / records).toFixed(2),
        (used.trips / records).toFixed(2),
        `${round(byCalls(one))}/s`,
        `${round(byCpu(one))}/s`,
        String(jobs),
        round(rate),
        round(goal),
        judge(one, jobs, goal),
      ];
    }),
  );

const smallest = 200;

const readSize = (args: readonly string[]): number => {
  const { values } = parseArgs({
    args: [...args],
    options: { size: { type: 'string', default: '2000' } },
  });
  const size = Number(values.size);
  if (Number.isInteger(size) && size >= smallest && size <= 20_000) return size;
  throw new Error(`--size wants a whole number from ${smallest} to 20000`);
};

/** Measures how much due work, and how much of a large account, the jobs do in a second. */
export const sweeps: Benchmark = {
  summary:
    'How many ended shares, objects, reminders and records of a removed user the jobs do in a second',
  usage: '[--size 2000]',
  run: async (args) => {
    const size = readSize(args);
    // Before the clock stops: it tells the date.
    const ranOn = machine();
    const site = await startSite();
    const meter = meterAws();
    try {
      const owners = await Promise.all(Array.from({ length: 50 }, newOwner));
      const ends = await measureEnds(site, meter, owners, size);
      const deletions = await measureDeletions(meter, 5 * size);
      const reminders = await measureReminders(site, meter, owners, size);
      const deliveries = await measureDeliveries(meter, size);
      const shares = await measureRemoval(site, meter, 'POST /api/share', size, {
        content: '# Hi',
      });
      const document = { title: 'A long plan of ours', type: 'text', content: 'Hello' };
      const documents = await measureRemoval(
        site,
        meter,
        'POST /api/documents',
        size / 2,
        document,
      );
      const shards = (work: ScheduledWork) => listShards(work.due).length;
      const minutes = 60 * 10;
      write(
        report([
          { name: 'ended shares', one: ends, jobs: shards(endedShares), goal: 50 },
          { name: 'deleted objects', one: deletions, jobs: shards(scheduledDeletions), goal: 200 },
          {
            name: 'due reminders',
            one: reminders,
            jobs: shards(eventReminders),
            goal: 10_000 / 120,
          },
          { name: 'delivered reminders', one: deliveries, jobs: functions, goal: 10_000 / 120 },
          { name: 'shares of a removed user', one: shares, jobs: parts, goal: 100_000 / minutes },
          {
            name: 'documents of a removed user',
            one: documents,
            jobs: parts,
            goal: 100_000 / minutes,
          },
        ]),
      );
      const seconds =
        10_000 / rateOf(reminders, shards(eventReminders), functions) +
        10_000 / rateOf(deliveries, 2, functions);
      write(
        `\nPer record. Trips: calls one after another, which take ${callMs.table} ms of the table, ${callMs.bucket} ms of the bucket (a hundred objects) and ${callMs.queue} ms of the queue; the rate is the lower one of jobs that wait and of ${functions} functions that compute. 10 000 reminders due in one minute are delivered ${round(seconds)} s after the scheduled run, which is up to 60 s later: ${60 + seconds <= 300 ? 'within' : 'NOT WITHIN'} five minutes. Their emails follow by MAIL_RATE.\n`,
      );
      write(`${ranOn}.\n`);
    } finally {
      meter.stop();
      site.close();
    }
  },
};
