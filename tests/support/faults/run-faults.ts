import { tableName } from '../../../shared/db/dynamodb.ts';
import { violationsOf } from '../invariants/invariants.ts';
import { pass } from '../run/virtual-time.ts';
import type { TypicalCalls } from '../sample-requests/sample-request.ts';
import type { Answer } from '../service/call.ts';
import { runJobs, runMinute } from '../service/jobs.ts';
import {
  difference,
  keepState,
  readState,
  type State,
  type Tally,
  tallyOf,
} from '../service/state.ts';
import type { Asked } from './aws-request.ts';
import type { FaultyEngines, Ordeal } from './engines.ts';
import { type Cell, comparable, isLasting, isSame, routeOf } from './matrix.ts';

/** A request is answered, or told to come again, after five time-outs of 2 s in a row at most. */
const patienceMs = 10_100;
/** How many requests a call may send while something is wrong, by how many it sends otherwise. */
const mostRequests = (usual: number): number => 8 * usual + 40;

/** After so long nobody's bucket of tokens needs a second write. */
const limitMs = 60 * 60_000;

/** The check of the table is kept for 5 s. */
const passFor = (call: string): void => {
  if (call.endsWith('/health')) pass(6_000);
};

/** What a request that broke off has claimed, or left to a job, another one takes over after so long. */
const claimMs = 2 * 60_000;
const claims = (call: string): boolean => call.endsWith('/complete');

/** What nobody outside may read: the table, the engines, AWS's messages. */
const internals = (): string[] => [tableName(), 'arn:aws', '123456789012', '127.0.0.1'];

/** What is wrong with an answer that is neither the one without faults nor that the service is busy. */
const flawOf = (response: Answer, usual: Answer, isRead: boolean): string | undefined => {
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

/** Lets everything be done that requests have left for later. */
const settle = async (): Promise<void> => {
  for (let round = 0; round < 2; round++) {
    pass(2 * 60_000);
    await runMinute();
    await runJobs();
  }
};

/** What is known of a call without faults. */
interface Usual {
  readonly answer: Answer;
  readonly asked: readonly Asked[];
  /** What it changes at once. */
  readonly done: Tally;
  /** What the same call is answered when it comes again. */
  readonly again: number;
}

/** What came of a call's faults. */
export interface Report {
  readonly problems: readonly string[];
  /** How often the call was answered in spite of the fault, and how often that the service is busy. */
  readonly answered: number;
  readonly busy: number;
}

/** Lets a typical call meet with faults, one after another, and says what is wrong with what comes of that. */
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

  /** What it changes in the end, which most calls do at once. */
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

  /** Is what the call has changed all that it changes, or, unless it was a success, nothing? */
  const isRight = ({ status }: Answer, changed: Tally, all: Tally): boolean =>
    isSame(changed, all) || (status === 503 && isSame(changed, {}));

  const askAgain = async (): Promise<Answer> => {
    const { result } = await ask();
    if (result.status !== 503 || !claims(call)) return result;
    pass(claimMs);
    return (await ask()).result;
  };

  /** Does the same call, sent again, do the rest of what it could not do? */
  const isFinishedAgain = async (): Promise<boolean> => {
    const { status } = await askAgain();
    return status === usual.answer.status && isSame(changes(await readState()), usual.done);
  };

  /** What is wrong with what the call has changed: by now, when all is done that it left for later, or when it is sent again. */
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

  /** What is wrong with the answer to the same call, sent again. */
  const wrongAgain = async (first: Answer): Promise<string[]> => {
    const { status } = await askAgain();
    const allowed = first.status === 503 ? [usual.answer.status, usual.again] : [usual.again];
    return allowed.includes(status) ? [] : [`is answered ${status} after ${first.status}`];
  };

  const suffer = async (cell: Cell): Promise<{ answer: Answer; problems: string[] }> => {
    const ordeal = await ask([cell.fault]);
    const first = ordeal.result;
    const flaw = flawOf(first, usual.answer, isRead);
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
    // After what one more try has mended nothing is other than without the fault.
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
