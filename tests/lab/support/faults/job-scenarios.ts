import { randomUUID } from 'node:crypto';
import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import { handler } from '../../../../functions/jobs/index.ts';
import { sweepJob } from '../../../../functions/jobs/sweeps/jobs.ts';
import { lambdaContext } from '../../../../infra/local/lambda-context.ts';
import { violationsOf } from '../../../support/invariants/invariants.ts';
import { pass } from '../../../support/run/virtual-time.ts';
import {
  difference,
  keepState,
  readState,
  type State,
  type Tally,
  tallyOf,
} from '../../../support/service/state.ts';
import { dueJobs, takeJob } from './due-jobs.ts';
import type { FaultyEngines } from './engines.ts';
import { type Cell, cellsOf, isSame, outagesOf } from './matrix.ts';

/** Timeout of the job function, and the part of it reserved for the response. */
const functionMs = 60_000;
const mostMs = functionMs - 2_000;

/** Visibility timeout of a delivered message on AWS. */
const visibilityMs = 6 * functionMs;

/** An invalid message, which always fails, independently of others in its batch. */
const poison = JSON.stringify({ id: randomUUID(), kind: 'of-nobody', data: {} });

const recordOf = (body: string, messageId: string) =>
  ({ body, messageId, attributes: { ApproximateReceiveCount: '1' } }) as SQSRecord;

/** Delivers messages in one batch. Returns the indexes of those that failed. */
const deliver = async (bodies: readonly string[]): Promise<number[]> => {
  const Records = bodies.map((body, at) => recordOf(body, String(at)));
  const context = lambdaContext(randomUUID(), Date.now() + functionMs);
  const response: SQSBatchResponse | undefined = await handler({ Records }, context);
  return (response?.batchItemFailures ?? []).map(({ itemIdentifier }) => Number(itemIdentifier));
};

/** Adds daily counters to the changes of requests. */
export const wholeTally = (state: State): Tally => {
  const tally: Record<string, number> = { ...tallyOf(state) };
  for (const item of state.items.filter(({ pk }) => pk.startsWith('STATS#DAYS'))) {
    for (const [name, value] of Object.entries(item)) {
      if (typeof value === 'number') tally[`days: ${name}`] = (tally[`days: ${name}`] ?? 0) + value;
    }
  }
  return tally;
};

/** Adds the data that only sweeps change. */
export const sweptTally = (state: State): Tally => ({
  ...wholeTally(state),
  scheduled: state.items.filter(({ pk }) => pk.startsWith('DELETIONS#')).length,
  unsent: state.items.filter(({ pk }) => pk.startsWith('OUTBOX#')).length,
  objects: state.objects.length,
});

/** Results of a job with faults. */
export interface JobReport {
  readonly problems: readonly string[];
  /** Number of cells in which it completed despite the fault; `failed` counts redeliveries after a failure. */
  readonly done: number;
  readonly failed: number;
}

/**
 * Delivers a job with each fault, in a batch with a message that always fails. Checks that the function reports the
 * failed messages, and that a job not reported as failed is done once, even if delivered repeatedly. An email may be
 * sent again only if the job failed after sending it, because SES does not deduplicate.
 */
export const sufferJob = async (engines: FaultyEngines, kind: string): Promise<JobReport> => {
  await engines.empty();
  pass(60 * 60_000);
  const leaveJob = dueJobs[kind];
  if (!leaveJob) throw new Error(`Nothing leaves a job of the type ${kind} behind`);
  await leaveJob(engines);
  const body = await takeJob(kind);
  const { state, restore } = await keepState();
  const toTally = kind === sweepJob.name ? sweptTally : wholeTally;
  const before = toTally(state);
  const changes = async () => difference(before, toTally(await readState()));
  const mailsSince = async (earlier: number) => (await engines.countMails()) - earlier;

  const mailsAtFirst = await engines.countMails();
  const usual = await engines.suffer([], () => deliver([body, poison]));
  const done = await changes();
  const mails = await mailsSince(mailsAtFirst);
  const problems: string[] = [];
  if (String(usual.result) !== '1') problems.push(`fails without a fault: ${usual.result}`);
  if (Object.keys(done).length + mails === 0) problems.push('has nothing to do');

  const suffer = async ({ fault }: Cell): Promise<{ hasFailed: boolean; problems: string[] }> => {
    await restore();
    const own: string[] = [];
    const earlier = await engines.countMails();
    const first = await engines.suffer([fault], () => deliver([body, poison]));
    const hasFailed = first.result.includes(0);
    if (!first.result.includes(1)) own.push('calls the other message of the batch done');
    if (first.met[0] === 0) own.push('did not happen');
    if (first.waitedMs > mostMs) own.push(`takes ${first.waitedMs} ms`);
    const now = await readState();
    own.push(...violationsOf({ ...now, jobs: [...now.jobs, ...(hasFailed ? [body] : [])] }));
    const sentAtFirst = await mailsSince(earlier);
    // A long job leaves the remaining work to another job of its type.
    const isOfKind = (one: string) => one.includes(`"kind":"${kind}"`);
    const queued = now.jobs.filter(isOfKind);
    // While the queue is down, it waits in the table.
    const unsent = now.items
      .filter(({ pk }) => pk.startsWith('OUTBOX#'))
      .map(({ message }) => `${message}`);
    const successors = [...queued, ...unsent.filter(isOfKind)];
    const left = { [`job ${kind}`]: queued.length };
    // The next scheduled run does what a sweep leaves.
    if (!hasFailed && successors.length === 0 && kind !== sweepJob.name) {
      const other = difference(done, difference(before, toTally(now)));
      if (!isSame(other, {})) own.push(`is called done and leaves ${JSON.stringify(other)}`);
      if (sentAtFirst !== mails) own.push(`is called done and has sent ${sentAtFirst} mails`);
    }
    // Redelivers failed jobs, and each job once more, because the queue delivers at least once.
    for (const time of hasFailed ? ['again', 'once more'] : ['once more']) {
      pass(visibilityMs);
      // A deferred job goes on with the same id.
      const isDeferred = successors.some((one) => JSON.parse(one).id === JSON.parse(body).id);
      const bodies = isDeferred ? successors : [body, ...successors];
      if ((await deliver(bodies)).length > 0) own.push(`fails when it is delivered ${time}`);
      const other = difference({ ...done, ...left }, await changes());
      if (!isSame(other, {})) own.push(`delivered ${time} leaves ${JSON.stringify(other)}`);
      own.push(...violationsOf(await readState()));
    }
    const sent = await mailsSince(earlier);
    const most = hasFailed ? sentAtFirst + mails : mails;
    if (sent < mails || sent > most) own.push(`sends ${sent} mails`);
    return { hasFailed, problems: own };
  };

  const cells = [...cellsOf(usual.asked), ...outagesOf(usual.asked)];
  let failed = 0;
  for (const cell of cells) {
    const suffered = await suffer(cell);
    if (suffered.hasFailed) failed++;
    problems.push(...suffered.problems.map((problem) => `${cell.name}: ${problem}`));
  }
  await restore();
  return { problems, done: cells.length - failed, failed };
};
