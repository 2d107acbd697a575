import { createRequire } from 'node:module';
import type {
  APIGatewayProxyEventV2,
  APIGatewayProxyStructuredResultV2,
  Context,
} from 'aws-lambda';
import { withNewToken } from './access-token.ts';
import { freezeRandomness } from './freeze-randomness.ts';
import type { Answered, Order, Report } from './process.ts';

type Handler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

const require = createRequire(import.meta.url);
const { handler } = require(process.argv[2] ?? '') as { readonly handler: Handler };

/** Creates a context for each request, as the runtime does. */
const newContext = (): Context => ({
  callbackWaitsForEmptyEventLoop: true,
  functionVersion: '$LATEST',
  functionName: 'warm',
  memoryLimitInMB: '1769',
  logGroupName: '/aws/lambda/warm',
  logStreamName: '2026/11/21/[$LATEST]0123456789abcdef',
  invokedFunctionArn: 'arn:aws:lambda:eu-central-1:123456789012:function:warm',
  awsRequestId: '6d2a6c1e-3f6b-4f0e-9a52-0a3c5e1d7b94',
  getRemainingTimeInMillis: () => 10_000,
  done: () => {},
  fail: () => {},
  succeed: () => {},
});

/** Returns the response to a request and its commands to the table, without randomness. */
const answer = async (event: string, now: number): Promise<Answered> => {
  freezeRandomness(now);
  const commands: unknown[] = [];
  Object.assign(globalThis, { commands });
  const { statusCode, headers, body } = await handler(JSON.parse(event), newContext());
  return { status: statusCode, headers, body, commands: JSON.stringify(commands) };
};

type Measured = Extract<Order, { readonly times: number }>;

/** Returns the CPU of all threads for sequential requests, in µs in total. */
const answerAll = async ({ event, times, hasNewTokens }: Measured): Promise<number> => {
  // The runtime parses events, not the handler.
  const events = Array.from({ length: times }, () => {
    const parsed = JSON.parse(event) as APIGatewayProxyEventV2;
    return hasNewTokens ? withNewToken(parsed, process.env['JWT_SECRET'] ?? '') : parsed;
  });
  const contexts = Array.from({ length: times }, newContext);
  const before = process.cpuUsage();
  for (let at = 0; at < times; at++) {
    await handler(events[at] as APIGatewayProxyEventV2, contexts[at] as Context);
  }
  const { user, system } = process.cpuUsage(before);
  return user + system;
};

/** Returns the same per request. */
const measure = async (order: Measured): Promise<number> => {
  // Fills the processor's caches, which the previous handler has used.
  await answerAll({ ...order, times: Math.ceil(order.times / 5) });
  return (await answerAll(order)) / order.times;
};

const reportOn = async (order: Order): Promise<Report> =>
  'times' in order
    ? { cpuUs: await measure(order) }
    : { answered: await answer(order.event, order.now) };

process.on('message', async (order: Order) => {
  process.send?.(await reportOn(order));
});
