import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { ReturnConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { beforeAll } from 'vitest';
import { documentClient } from '../../../shared/db/dynamodb.ts';
import { whileSendingRequests } from '../service/direct-calls.ts';

/** AWS usage of an action. */
export interface Consumption {
  /** Units of the table, and of reads of its indexes. Index writes are not counted. */
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Completed writes, by the sort keys of their items up to the first `#`. */
  readonly writes: Readonly<Record<string, number>>;
  /** Requests to the table, bucket and queue, including retries. */
  readonly requests: Readonly<Record<'table' | 'bucket' | 'queue', number>>;
  /** Length of the longest chain of sequential requests. */
  readonly trips: number;
  /** Length of the longest chain of sequential table requests. */
  readonly tableTrips: number;
}

interface Units {
  readonly CapacityUnits?: number;
}

interface Capacity extends Units {
  readonly Table?: Units;
}

const metered: { ReturnConsumedCapacity: ReturnConsumedCapacity } = {
  ReturnConsumedCapacity: 'INDEXES',
};

const unitsOf = (output: object, isOfTable: boolean): number => {
  const { ConsumedCapacity = [] } = output as { ConsumedCapacity?: Capacity | Capacity[] };
  const units = [ConsumedCapacity]
    .flat()
    .map((capacity) => (isOfTable ? capacity.Table : capacity)?.CapacityUnits);
  const sum = units.reduce<number>((total, each) => total + (each ?? Number.NaN), 0);
  if (units.length === 0 || Number.isNaN(sum)) {
    throw new Error('The table did not say what a request consumed');
  }
  return sum;
};

type Service = keyof Consumption['requests'];

const services: Readonly<Record<Service, string>> = {
  table: 'AWS_ENDPOINT_URL_DYNAMODB',
  bucket: 'AWS_ENDPOINT_URL_S3',
  queue: 'AWS_ENDPOINT_URL_SQS',
};

/** Returns the service of a request; `undefined` for other hosts. */
const serviceOf = (request: ClientRequest): Service | undefined => {
  const host = request.getHeader('host');
  const names = Object.keys(services) as Service[];
  return names.find((name) => {
    const endpoint = process.env[services[name]];
    return endpoint !== undefined && new URL(endpoint).host === host;
  });
};

const isRead = (command: string): boolean => /^(BatchGet|Get|Query|Scan|TransactGet)/.test(command);

const kindOf = (sortKey: unknown): string => String(sortKey).split('#')[0] ?? '';

/**
 * Meters AWS usage from now on: units as reported by the table, requests as sent. Returns a function that measures one
 * action at a time.
 */
export const meterAws = () => {
  let [readUnits, writeUnits, trips, tableTrips] = [0, 0, 0, 0];
  let writes: Record<string, number> = {};
  let requests = { table: 0, bucket: 0, queue: 0 };
  const tripOf = new WeakMap<ClientRequest, { readonly all: number; readonly ofTable: number }>();

  const stack = documentClient().middlewareStack;
  stack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const response = await next({ ...args, input: { ...args.input, ...metered } });
        const units = unitsOf(response.output, !isRead(commandName));
        if (isRead(commandName)) readUnits += units;
        else {
          writeUnits += units;
          const { Key } = args.input as { Key?: { sk: unknown } };
          const kind = kindOf(Key?.sk);
          writes = { ...writes, [kind]: (writes[kind] ?? 0) + units };
        }
        return response;
      },
    { step: 'initialize', priority: 'high', name: 'meter' },
  );
  const sent = (message: unknown): void => {
    const { request } = message as { readonly request: ClientRequest };
    const service = serviceOf(request);
    if (!service) return;
    requests = { ...requests, [service]: requests[service] + 1 };
    // This request may have waited for any earlier response.
    const ofTable = service === 'table' ? tableTrips + 1 : 0;
    tripOf.set(request, { all: trips + 1, ofTable });
  };
  const answered = (message: unknown): void => {
    const { request } = message as { readonly request: ClientRequest };
    const { all = 0, ofTable = 0 } = tripOf.get(request) ?? {};
    trips = Math.max(trips, all);
    tableTrips = Math.max(tableTrips, ofTable);
  };
  subscribe('http.client.request.start', sent);
  subscribe('http.client.response.finish', answered);

  return {
    measure: async <T>(work: () => Promise<T>): Promise<Consumption & { readonly result: T }> => {
      [readUnits, writeUnits, trips, tableTrips] = [0, 0, 0, 0];
      writes = {};
      requests = { table: 0, bucket: 0, queue: 0 };
      const result = await whileSendingRequests(work);
      return { readUnits, writeUnits, writes, requests, trips, tableTrips, result };
    },
    stop: (): void => {
      stack.remove('meter');
      unsubscribe('http.client.request.start', sent);
      unsubscribe('http.client.response.finish', answered);
    },
  };
};

/** Meters AWS usage from the start of the file or the suite to its end. */
export const useMeter = (): Pick<ReturnType<typeof meterAws>, 'measure'> => {
  let meter: ReturnType<typeof meterAws>;
  beforeAll(() => {
    meter = meterAws();
    return () => meter.stop();
  });
  return { measure: (work) => meter.measure(work) };
};
