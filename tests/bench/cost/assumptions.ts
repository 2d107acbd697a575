/** What can't be measured without an account of AWS. */

/** How long a request takes within the region, in ms. */
export const latencyMs: Readonly<Record<string, number>> = {
  dynamodb: 5,
  s3: 30,
  sqs: 10,
  ses: 100,
};

/** From so much memory on a function has a whole vCPU, and below that its part of one. */
export const vcpuMb = 1_769;

/** How much longer a vCPU of arm64 takes than a core of the machine that measures. */
export const cpuFactor = 1.25;

/** Each event of a log counts so many bytes more than its text. https://aws.amazon.com/cloudwatch/pricing/ */
const perEventBytes = 26;

const bytesOf = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + Buffer.byteLength(line) + perEventBytes, 0);

/** A line of the access log, as infra/stack/access-log.ts has it. */
const accessLine = {
  time: '1795276800000',
  requestId: 'AbCdEfGhIAMEJkw=',
  ip: '203.0.113.77',
  method: 'GET',
  routeKey: 'GET /api/documents/{id}',
  status: '200',
  responseBytes: '10240',
  latencyMs: '27',
  integrationStatus: '200',
  integrationLatencyMs: '25',
  error: '-',
  integrationError: '-',
};

export const accessLogBytes = bytesOf([JSON.stringify(accessLine)]);

/** What the headers of an answer add to what goes out to the internet, TLS included. */
export const headerBytes = 700;

/** How many messages one request to the queue receives or deletes. */
export const messagesAtOnce = 10;

/** How often Lambda asks an empty queue for messages in a month: five pollers, 20 s each. */
export const pollsPerMonth = (5 * 30 * 24 * 3_600) / 20;

export const minutesPerMonth = 30 * 24 * 60;
