import { afterAll, beforeAll } from 'vitest';
import { type DynamoDbEngine, startDynamoDb } from '../../../../infra/local/aws/dynamodb/engine.ts';
import { ensureTable } from '../../../../infra/local/table.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import { queueUrlSettings } from '../../../../shared/jobs/job-queue.ts';
import type { Asked, Service } from '../../../support/faults/aws-request.ts';
import { type Fault, type Plan, planOf } from '../../../support/faults/fault.ts';
import { type FaultProxy, observerOf, startProxy } from '../../../support/faults/proxy.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { useMail } from '../../../support/service/mail.ts';
import { forgetObjectsAndJobs, readState } from '../../../support/service/state.ts';
import { startVirtualWaits, type VirtualWaits } from './virtual-waits.ts';

const endpointNames: Readonly<Record<Service, string>> = {
  dynamodb: 'AWS_ENDPOINT_URL_DYNAMODB',
  s3: 'AWS_ENDPOINT_URL_S3',
  sqs: 'AWS_ENDPOINT_URL_SQS',
  ses: 'AWS_ENDPOINT_URL_SESV2',
};

/** Result and requests of an action with faults. */
export interface Ordeal<Result> {
  readonly result: Result;
  readonly asked: readonly Asked[];
  /** Number of occurrences of each fault. */
  readonly met: readonly number[];
  /** Virtual waiting time for missing responses, in ms. */
  readonly waitedMs: number;
}

/** Engines behind proxies that inject faults. */
export interface FaultyEngines {
  /** Runs an action with these faults, and then lifts them, whatever their `times`. */
  suffer<Result>(faults: readonly Fault[], work: () => Promise<Result>): Promise<Ordeal<Result>>;
  /** Deletes all stored data. */
  empty(): Promise<void>;
  /** Returns the number of emails sent so far. */
  countMails(): Promise<number>;
}

/**
 * Starts DynamoDB, S3 and SQS for this test file, each behind a proxy, and skips waiting for missing responses. With
 * mail, starts SES too and enables email.
 */
export const useFaultyEngines = ({ mail = false } = {}): FaultyEngines => {
  const proxies = new Map<Service, FaultProxy>();
  let waits: VirtualWaits;
  let table: DynamoDbEngine | undefined;
  let plan: Plan | undefined;
  let asked: Asked[] = [];
  let mails = '';

  const newTable = async (): Promise<DynamoDbEngine> => {
    const engine = await startDynamoDb({});
    const through = process.env[endpointNames.dynamodb];
    process.env[endpointNames.dynamodb] = engine.endpoint;
    await ensureTable(tableName());
    if (table) process.env[endpointNames.dynamodb] = through;
    return engine;
  };

  const restore = async (): Promise<void> => {
    plan = undefined;
    await Promise.all([...proxies.values()].map((proxy) => proxy.restore()));
  };

  useBucket();
  useJobs();
  if (mail) useMail();
  beforeAll(async () => {
    table = await newTable();
    mails = `${process.env[endpointNames.ses]}/store`;
    const observer = observerOf(
      () => plan,
      (one) => asked.push(one),
      (id) => waits.hangs(id),
    );
    for (const [service, name] of Object.entries(endpointNames) as [Service, string][]) {
      if (service === 'ses' && !mail) continue;
      const proxy = await startProxy(service, process.env[name] ?? '', observer);
      proxies.set(service, proxy);
      process.env[name] = proxy.endpoint;
    }
    for (const name of Object.values(queueUrlSettings)) {
      const queue = new URL(process.env[name] ?? '');
      process.env[name] = new URL(queue.pathname, process.env[endpointNames.sqs]).href;
    }
    waits = await startVirtualWaits();
    return async () => {
      waits.stop();
      for (const proxy of proxies.values()) await proxy.close();
    };
  });
  afterAll(() => table?.close());

  return {
    async suffer(faults, work) {
      const before = waits.now();
      asked = [];
      const event = planOf(faults);
      plan = event;
      try {
        const result = await work();
        const waitedMs = waits.now() - before;
        return { result, asked: [...asked], met: event.met(), waitedMs };
      } finally {
        await restore();
      }
    },
    async empty() {
      await forgetObjectsAndJobs(await readState());
      const former = table;
      table = await newTable();
      proxies.get('dynamodb')?.leadTo(table.endpoint);
      await former?.close();
    },
    async countMails() {
      const { emails } = (await (await fetch(mails)).json()) as { readonly emails: unknown[] };
      return emails.length;
    },
  };
};
