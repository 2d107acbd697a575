import { tableName } from '../../../../shared/db/dynamodb.ts';
import type { Asked } from '../../../support/faults/aws-request.ts';
import { violationsOf } from '../../../support/invariants/invariants.ts';
import { pass } from '../../../support/run/virtual-time.ts';
import type { TypicalCalls } from '../../../support/sample-requests/sample-request.ts';
import type { Answer } from '../../../support/service/call.ts';
import { runJobs, runMinute } from '../../../support/service/jobs.ts';
import {
  difference,
  keepState,
  readState,
  type State,
  type Tally,
  tallyOf,
} from '../../../support/service/state.ts';
import type { FaultyEngines, Ordeal } from './engines.ts';
import { type Cell, comparable, isLasting, isSame, routeOf } from './matrix.ts';

/** A request must end after at most five sequential timeouts of 2 s. */
const patienceMs = 10_100;
/** Maximum number of requests of a call with a fault, by its usual number. */
const mostRequests = (usual: number): number => 8 * usual + 40;

/** After this time, no rate limit bucket needs a second write. */
const limitMs = 60 * 60_000;

/** Passes the time for which the table check is cached (5 s). */
const passFor = (call: string): void => {
  if (call.endsWith('/health')) pass(6_000);
};

/** Time after which a request takes over the work of an interrupted one. */
const claimMs = 2 * 60_000;
const claims = (call: string): boolean => call.endsWith('/complete');

/** Whether the response is about the failure, and so another one. */
const reportsFailures = (call: string): boolean => call === 'GET /api/settings/health';

/** Details that responses must not contain: names of the table, engines and AWS. */
const internals = (): string[] => [tableName(), 'arn:aws', '123456789012', '127.0.0.1'];

/** Returns the problem with a response that is neither the usual one nor a valid 503. */
export const flawOf = (response: Answer, usual: Answer, isRead: boolean): string | undefined => {
  const { status, headers, body } = response;
  const text = JSON.stringify(body ?? '');
  if (status === usual.status) {
    const isAsUsual = comparable(response) === comparable(usual);
    return isRead && !isAsUsual ? `answers another body: ${text}` : undefined;
  }
  if (internals().some((word) => text.includes(word))) return `tells ${text}`;
  if (status !== 503) return `answers ${status}: ${text.slice(0, 300)}`;
  if (headers['retry-after'] === undefined) return 'is busy without Retry-After';
  const isBusy =
    typeof body === 'string'
      ? headers['content-type']?.startsWith('text/')
      : body.error?.code === 'SERVICE_UNAVAILABLE' || body.status === 'unhealthy';
  return isBusy ? undefined : `is busy in another form: ${text}`;
};

/** Runs all deferred work. */
const settle = async (): Promise<void> => {
  for (let round = 0; round < 2; round++) {
    pass(2 * 60_000);
    await runMinute();
    await runJobs();
  }
};

/** Results of a call without faults. */
interface Usual {
  readonly answer: Answer;
  readonly asked: readonly Asked[];
  /** Its immediate changes. */
  readonly done: Tally;
  /** Status of the same call when repeated. */
  readonly again: number;
}

/** Results of a call with faults. */
export interface Report {
  readonly problems: readonly string[];
  /** Number of usual responses despite the fault; `busy` counts 503 responses. */
  readonly answered: number;
  readonly busy: number;
}

/** Runs a typical call with each fault and returns the problems. */
export const sufferAll = async (
  engines: FaultyEngines,
  call: string,
  prepare: TypicalCalls[string],
  cellsFor: (asked: readonly Asked[]) => readonly Cell[],
): Promise<Report> => {
  await engines.empty();
  pass(limitMs);
  const send = await prepare();
  const { state, restore } = await keepState();
  const before = tallyOf(state);
  const changes = (now: State) => difference(before, tallyOf(now));

  const ask = (faults: readonly Cell['fault'][] = []): Promise<Ordeal<Answer>> => {
    passFor(call);
    return engines.suffer(faults, send);
  };
  const { result: response, asked } = await ask();
  const done = changes(await readState());
  const again = (await ask()).result.status;
  const usual: Usual = { answer: response, asked, done, again };
  const isRead = routeOf(call).method === 'GET' && Object.keys(done).length === 0;
  if (!isRead) await restore();

  /** Its final changes, immediate for most calls. */
  let inTheEnd: Tally | undefined;
  const settled = async (): Promise<Tally> => {
    if (!inTheEnd) {
      await restore();
      await send();
      await settle();
      inTheEnd = changes(await readState());
    }
    return inTheEnd;
  };

  /** Returns whether the call changed everything, or nothing with a 503. */
  const isRight = ({ status }: Answer, changed: Tally, all: Tally): boolean =>
    isSame(changed, all) || (status === 503 && isSame(changed, {}));

  const askAgain = async (): Promise<Answer> => {
    const { result } = await ask();
    if (result.status !== 503 || !claims(call)) return result;
    pass(claimMs);
    return (await ask()).result;
  };

  /** Returns whether a retry completes the remaining changes. */
  const isFinishedAgain = async (): Promise<boolean> => {
    const { status } = await askAgain();
    return status === usual.answer.status && isSame(changes(await readState()), usual.done);
  };

  /** Returns the problems with its changes: now, after deferred work, and after a retry. */
  const wrongChange = async (answered: Answer, now: State, cell: Cell): Promise<string[]> => {
    if (isRight(answered, changes(now), usual.done)) return [];
    await settle();
    const changed = changes(await readState());
    const all = await settled();
    const goBack = async () => {
      await restore();
      await ask([cell.fault]);
    };
    await goBack();
    if (isRight(answered, changed, all)) return [];
    const isFinished = answered.status === 503 && (await isFinishedAgain());
    await goBack();
    const other = JSON.stringify(difference(all, changed));
    return isFinished ? [] : [`leaves another state after ${answered.status}: ${other}`];
  };

  /** Returns the problems with the response to a retry. */
  const wrongAgain = async (first: Answer): Promise<string[]> => {
    const { status } = await askAgain();
    const allowed = first.status === 503 ? [usual.answer.status, usual.again] : [usual.again];
    return allowed.includes(status) ? [] : [`is answered ${status} after ${first.status}`];
  };

  const suffer = async (cell: Cell): Promise<{ answer: Answer; problems: string[] }> => {
    const ordeal = await ask([cell.fault]);
    const first = ordeal.result;
    const flaw = flawOf(first, usual.answer, isRead && !reportsFailures(call));
    const problems = [
      ...(flaw === undefined ? [] : [flaw]),
      ...(ordeal.met[0] === 0 ? ['did not happen'] : []),
      ...(ordeal.waitedMs > patienceMs ? [`lets wait ${ordeal.waitedMs} ms`] : []),
      ...(ordeal.asked.length > mostRequests(asked.length)
        ? [`sends ${ordeal.asked.length} requests`]
        : []),
    ];
    let now = isRead ? undefined : await readState();
    if (now) problems.push(...(await wrongChange(first, now, cell)));
    // After a successful retry, the result equals that without the fault.
    if (first.status === 503 || isLasting(cell)) problems.push(...(await wrongAgain(first)));
    now &&= await readState();
    if (now) {
      problems.push(...violationsOf(now));
      await restore(now);
    }
    return { answer: first, problems: problems.map((problem) => `${cell.name}: ${problem}`) };
  };

  const problems: string[] = [];
  let busy = 0;
  const cells = cellsFor(asked);
  for (const cell of cells) {
    const suffered = await suffer(cell);
    if (suffered.answer.status === 503) busy++;
    problems.push(...suffered.problems);
  }
  if (isRead) {
    const changed = changes(await readState());
    if (Object.keys(changed).length > 0) problems.push(`changes ${JSON.stringify(changed)}`);
    problems.push(...violationsOf(await readState()));
  }
  await restore();
  return { problems, answered: cells.length - busy, busy };
};
