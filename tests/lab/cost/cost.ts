import { accessLogBytes, cpuFactor, headerBytes, messagesAtOnce, vcpuMb } from './assumptions.ts';
import type { Batch, Measured, Work } from './measure.ts';
import { prices } from './prices.ts';

const gb = 1024 ** 3;
const meteredBytes = 512 * 1024;

const logCost = (bytes: number): number => (bytes / gb) * prices.logGb;

/** Returns the cost of a function's work in dollars, by price. */
const partsOfWork = (work: Work) => ({
  functions:
    prices.invocation + (work.billedMs / 1_000) * (work.memoryMb / 1_024) * prices.gbSecond,
  table: work.readUnits * prices.readUnit + work.writeUnits * prices.writeUnit,
  others:
    work.putObjects * prices.putObject +
    work.getObjects * prices.getObject +
    work.queueRequests * prices.queueRequest +
    work.mails * prices.mail,
  logs: logCost(work.logBytes),
});

/** Returns the billed duration and the cost in dollars of a cold start, which Lambda bills like a request's time. */
export const costOfInit = (cpuMs: number, memoryMb: number) => {
  const billedMs = Math.ceil((cpuMs * cpuFactor) / Math.min(1, memoryMb / vcpuMb));
  return { billedMs, cost: (billedMs / 1_000) * (memoryMb / 1_024) * prices.gbSecond };
};

/** Returns the cost of a function's work in dollars. */
export const costOfWork = (work: Work): number =>
  Object.values(partsOfWork(work)).reduce((sum, part) => sum + part, 0);

/** Returns the cost of transfer to the internet in dollars. */
export const costOfTransfer = ({ answerBytes }: Measured): number =>
  ((answerBytes + headerBytes) / gb) * prices.outGb;

/** Returns the cost of a batch of jobs in dollars, with the requests that receive and delete its messages. */
export const costOfBatch = ({ work, messages }: Batch): number =>
  2 * Math.ceil(messages / messagesAtOnce) * prices.queueRequest + costOfWork(work);

/** Returns the cost of one request in dollars, by price, without transfer to the internet and jobs. */
export const partsOfRequest = ({ request, answerBytes }: Measured) => {
  const { logs, ...parts } = partsOfWork(request);
  return {
    gateway: Math.max(1, Math.ceil(answerBytes / meteredBytes)) * prices.apiRequest,
    ...parts,
    logs: logs + logCost(accessLogBytes),
  };
};

/** Returns the cost of one request with transfer to the internet, in dollars. */
export const costOfRequest = (measured: Measured): number =>
  Object.values(partsOfRequest(measured)).reduce((sum, part) => sum + part, 0);

/**
 * Returns the cost of one request with transfer and jobs, each delivered separately. In a busy queue, they share
 * invocations.
 */
export const costOf = (measured: Measured): number =>
  costOfRequest(measured) +
  measured.jobs.reduce((sum, work) => sum + costOfBatch({ work, messages: 1 }), 0);
