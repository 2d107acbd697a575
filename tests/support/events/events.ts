import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type * as z from 'zod';
import { workers } from '../../../functions/jobs/registry.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import type { BatchWorker, Worker } from '../../../shared/jobs/job-type.ts';
import { webhookEvent } from '../../../shared/webhooks/jobs.ts';
import { eventDataSchemas } from '../../../shared/webhooks/payloads.ts';
import { runJobs, runMinute } from '../service/jobs.ts';

type Told = z.output<typeof webhookEvent.data>;

const told: Told[] = [];

/** Takes the jobs that would deliver events to webhooks, for this test file. */
export const useEvents = (): void => {
  const list = workers as (Worker | BatchWorker)[];
  const own: Worker = {
    type: webhookEvent,
    run: async (data) => {
      told.push(data as Told);
    },
  };
  let former: readonly (Worker | BatchWorker)[] = [];
  beforeAll(() => {
    former = [...list];
    list.splice(0, list.length, ...list.filter(({ type }) => type.name !== webhookEvent.name), own);
  });
  afterAll(() => {
    list.splice(0, list.length, ...former);
  });
  beforeEach(() => {
    told.length = 0;
  });
};

/** Says on a user’s record what their active webhooks want, as a change of these does. */
export const wantEvents = async (id: number, ...events: readonly string[]): Promise<void> => {
  await documentClient().send(
    new UpdateCommand({
      TableName: tableName(),
      Key: userKeys.record.at({ id }),
      UpdateExpression: 'SET webhookEvents = :events',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':events': events },
    }),
  );
};

/** Runs all jobs, and returns what reached the job of deliveries, in the order of time, each as often as it did. */
export const toldEvents = async (): Promise<readonly Told[]> => {
  await runMinute();
  await runJobs();
  await runMinute();
  await runJobs();
  for (const { event } of told) {
    if (!(event.type in eventDataSchemas)) continue;
    // What the API reference says is all that an event carries.
    const schema = eventDataSchemas[event.type as keyof typeof eventDataSchemas];
    expect(schema.strict().parse(event.data)).toEqual(event.data);
  }
  return told.toSorted((one, other) => one.event.timestamp.localeCompare(other.event.timestamp));
};

/** Returns the events, each once: what is told twice has the same id, and is delivered once. */
export const toldOnce = async (): Promise<readonly Told[]> => [
  ...new Map((await toldEvents()).map((one) => [`${one.userId} ${one.event.id}`, one])).values(),
];
