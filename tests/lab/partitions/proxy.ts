import { once } from 'node:events';
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { signAgain } from '../../support/aws/sign-again.ts';
import { type Demand, demandsOf, type Input, type Kind, type Output, restOf } from './units.ts';

/** Limits of each partition in units per second. */
export type Limits = Readonly<Record<Kind, number>>;

/** A proxy of a table that rejects requests over the limits of a partition. */
export interface LimitedTable {
  readonly endpoint: string;
  /** Number of rejected parts of requests, reads and writes. */
  readonly refused: Readonly<Record<Kind, number>>;
  /** Sets the limits of each partition; `undefined` removes them. */
  limit(limits: Limits | undefined): void;
  close(): Promise<void>;
}

const json = (value: object): Buffer => Buffer.from(JSON.stringify(value));

/** Units left in this second, by partition and kind. Uses the clock of `Date`, which tests move. */
const newMeter = (limits: () => Limits | undefined) => {
  let second = Number.NaN;
  const taken = new Map<string, number>();
  const nameOf = ({ partition, kind }: Demand) => `${kind} ${partition}`;
  return {
    /** Returns whether any units are left. The last request may exceed them without a carry-over. */
    hasRoom: (demand: Demand): boolean => {
      const now = Math.floor(Date.now() / 1_000);
      if (now !== second) taken.clear();
      second = now;
      return (
        (taken.get(nameOf(demand)) ?? 0) < (limits()?.[demand.kind] ?? Number.POSITIVE_INFINITY)
      );
    },
    take: (demand: Demand): void => {
      taken.set(nameOf(demand), (taken.get(nameOf(demand)) ?? 0) + demand.units);
    },
  };
};

interface Reply {
  readonly status: number;
  readonly body: Buffer;
}

/** The response of an on-demand table for a throttled partition. */
const throttled = (): Reply => ({
  status: 400,
  body: json({
    __type: 'com.amazonaws.dynamodb.v20120810#ThrottlingException',
    message: 'Throughput exceeds the current capacity of your table or index',
  }),
});

const cancelled = (isRefused: readonly boolean[]): Reply => ({
  status: 400,
  body: json({
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    Message: 'Transaction cancelled, please refer cancellation reasons for specific reasons',
    CancellationReasons: isRefused.map((refused) => ({
      Code: refused ? 'ThrottlingError' : 'None',
    })),
  }),
});

type Keys = NonNullable<Input['RequestItems']>;

const keysIf = (items: Keys, isWanted: (at: number) => boolean): Keys => {
  let at = 0;
  const some = Object.entries(items).map(([table, request]) => {
    const Keys = request.Keys.filter(() => isWanted(at++));
    return [table, { ...request, Keys }] as const;
  });
  return Object.fromEntries(some.filter(([, { Keys }]) => Keys.length > 0));
};

/** Starts a proxy with DynamoDB's partition limits in front of a table's engine, on a free port of 127.0.0.1. */
export const limitPartitions = async (engineEndpoint: string): Promise<LimitedTable> => {
  const { hostname, port } = new URL(engineEndpoint);
  const agent = new Agent({ keepAlive: true });
  const refused = { read: 0, write: 0 };
  let limits: Limits | undefined;
  const meter = newMeter(() => limits);

  const forward = async (sent: IncomingHttpHeaders, body: Buffer): Promise<Reply> => {
    const { 'transfer-encoding': _, ...headers } = sent;
    const onward = httpRequest({
      agent,
      hostname,
      port,
      method: 'POST',
      headers: { ...headers, 'content-length': body.length },
    });
    onward.end(body);
    const [response] = (await once(onward, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, body: await buffer(response) };
  };

  const answer = async (message: IncomingMessage): Promise<Reply> => {
    const body = await buffer(message);
    const operation = String(message.headers['x-amz-target']).split('.')[1] ?? '';
    const input = JSON.parse(body.toString()) as Input;
    const demands = demandsOf(operation, input);
    const isRefused = demands.map((demand) => !meter.hasRoom(demand));
    for (const [at, { kind }] of demands.entries()) if (isRefused[at]) refused[kind]++;
    const isBatch = operation === 'BatchGetItem';
    if (isBatch ? isRefused.every(Boolean) && demands.length > 0 : isRefused.some(Boolean)) {
      return operation === 'TransactWriteItems' ? cancelled(isRefused) : throttled();
    }
    for (const [at, demand] of demands.entries()) if (!isRefused[at]) meter.take(demand);

    const items = input.RequestItems;
    const isSplit = isBatch && items !== undefined && isRefused.some(Boolean);
    const sent = isSplit
      ? json({ ...input, RequestItems: keysIf(items, (at) => !isRefused[at]) })
      : body;
    const headers = isSplit ? await signAgain(message.headers, sent) : message.headers;
    const reply = await forward(headers, sent);
    if (reply.status !== 200) return reply;
    const output = JSON.parse(reply.body.toString()) as Output;
    for (const demand of restOf(operation, input, output)) meter.take(demand);
    if (!isSplit) return reply;
    const UnprocessedKeys = keysIf(items, (at) => isRefused[at] === true);
    return { status: 200, body: json({ ...output, UnprocessedKeys }) };
  };

  const server = createServer(async (message, response) => {
    try {
      const { status, body } = await answer(message);
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
    } catch {
      response.destroy();
    }
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    limit(next) {
      limits = next;
    },
    async close() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
