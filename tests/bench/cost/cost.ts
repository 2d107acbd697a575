import { accessLogBytes, headerBytes, messagesAtOnce } from './assumptions.ts';
import type { Batch, Measured, Work } from './measure.ts';
import { prices } from './prices.ts';

const gb = 1024 ** 3;
const meteredBytes = 512 * 1024;

const logCost = (bytes: number): number => (bytes / gb) * prices.logGb;

/** What the work of a function costs, in dollars, by what is paid for. */
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

/** What the work of a function costs, in dollars. */
export const costOfWork = (work: Work): number =>
  Object.values(partsOfWork(work)).reduce((sum, part) => sum + part, 0);

/** What goes out to the internet, in dollars. */
export const costOfTransfer = ({ answerBytes }: Measured): number =>
  ((answerBytes + headerBytes) / gb) * prices.outGb;

/** What a batch of jobs costs, in dollars: the queue is asked for its messages, and to forget them. */
export const costOfBatch = ({ work, messages }: Batch): number =>
  2 * Math.ceil(messages / messagesAtOnce) * prices.queueRequest + costOfWork(work);

/** What one request costs, in dollars, by what is paid for, but for what goes out to the internet and what it leaves to do. */
export const partsOfRequest = ({ request, answerBytes }: Measured) => {
  const { logs, ...parts } = partsOfWork(request);
  return {
    gateway: Math.max(1, Math.ceil(answerBytes / meteredBytes)) * prices.apiRequest,
    ...parts,
    logs: logs + logCost(accessLogBytes),
  };
};

/** All of that together. */
export const costOfRequest = (measured: Measured): number =>
  Object.values(partsOfRequest(measured)).reduce((sum, part) => sum + part, 0);

/** The same with what it leaves to be done, each job by itself; in a busy queue they share invocations. */
export const costOf = (measured: Measured): number =>
  costOfRequest(measured) +
  measured.jobs.reduce((sum, work) => sum + costOfBatch({ work, messages: 1 }), 0);
