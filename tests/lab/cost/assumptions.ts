/** Figures that can't be measured without an AWS account. */
import { noticedWithinMs } from '../../../shared/runtime/signing-keys.ts';

/** Duration of a request within the region, in ms. */
export const latencyMs: Readonly<Record<string, number>> = {
  dynamodb: 5,
  s3: 30,
  sqs: 10,
  ses: 100,
};

/** Memory from which a function has a whole vCPU. With less, it has a proportional part. */
export const vcpuMb = 1_769;

/** Time of an arm64 vCPU as a multiple of this machine's core. */
export const cpuFactor = 1.25;

/** Bytes of each log event in addition to its text. https://aws.amazon.com/cloudwatch/pricing/ */
const perEventBytes = 26;

const bytesOf = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + Buffer.byteLength(line) + perEventBytes, 0);

/** A line of the access log, as in infra/stack/access-log.ts. */
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

const requestId = '6d68ca91-49c9-448d-89b8-7ca3e6dc66aa';
const time = '2026-11-21T12:00:00.000Z';

/** What Lambda logs of each invocation. https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html */
export const systemLogBytes = bytesOf(
  [
    { time, type: 'platform.start', record: { requestId, version: '$LATEST' } },
    {
      time,
      type: 'platform.report',
      record: {
        requestId,
        metrics: {
          durationMs: 27.374,
          billedDurationMs: 28,
          memorySizeMB: 512,
          maxMemoryUsedMB: 133,
        },
        status: 'success',
      },
    },
  ].map((line) => JSON.stringify(line)),
);

/** Bytes of response headers sent to the internet, TLS included. */
export const headerBytes = 700;

/** Messages that one request to the queue receives or deletes. */
export const messagesAtOnce = 10;

/** Polls of an empty queue per month by Lambda: five pollers, 20 s a poll (functions/decisions.md#costs). */
export const pollsPerMonth = (5 * 30 * 24 * 3_600) / 20;

export const minutesPerMonth = 30 * 24 * 60;

/** Reads of the secret per month by an instance that is always busy. */
export const secretReadsPerMonth = (minutesPerMonth * 60_000) / noticedWithinMs;
