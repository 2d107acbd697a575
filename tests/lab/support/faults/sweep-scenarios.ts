import { violationsOf } from '../../../support/invariants/invariants.ts';
import { pass } from '../../../support/run/virtual-time.ts';
import { runMinute } from '../../../support/service/jobs.ts';
import { difference, keepState, readState, type State } from '../../../support/service/state.ts';
import { dueSweeps } from './due-sweeps.ts';
import type { FaultyEngines } from './engines.ts';
import { sweptTally } from './job-scenarios.ts';
import { cellsOf, outagesOf } from './matrix.ts';

/** Timeout of the sweep function. */
const functionMs = 60_000;
/** Fault-free runs after one with a fault. The first does the remaining work. */
const quietMinutes = 2;

/** Ignores items that have expired at `at` (ms since 1970), because the table deletes them at any time. */
const withoutForgotten = (state: State, at: number): State => ({
  ...state,
  items: state.items.filter(({ ttl }) => ttl === undefined || Number(ttl) * 1_000 > at),
});

/** Counts jobs with equal ids once, because the queue delivers at least once. */
const withoutRepeats = (state: State): State => ({ ...state, jobs: [...new Set(state.jobs)] });

/**
 * Runs a sweep with each fault. Checks that it never fails, that data stays consistent, and that the next runs complete
 * its work once.
 */
export const sufferSweep = async (engines: FaultyEngines, name: string): Promise<string[]> => {
  await engines.empty();
  pass(60 * 60_000);
  const leaveWork = dueSweeps[name];
  if (!leaveWork) throw new Error(`Nothing gives the sweep ${name} something to do`);
  await leaveWork(engines);
  const { state, restore } = await keepState();
  const over = Date.now() + (quietMinutes + 2) * functionMs;
  const lasting = (now: State) => sweptTally(withoutForgotten(withoutRepeats(now), over));
  const before = lasting(state);
  const changes = async () => difference(before, lasting(await readState()));
  const quiet = async () => {
    for (let minute = 0; minute < quietMinutes; minute++) {
      pass(60_000);
      await runMinute();
    }
  };

  const { asked } = await engines.suffer([], runMinute);
  await quiet();
  const done = await changes();
  const problems = Object.keys(done).length === 0 ? ['has nothing to do'] : [];
  for (const { name: cell, fault } of [...cellsOf(asked), ...outagesOf(asked)]) {
    await restore();
    const { waitedMs, met } = await engines.suffer([fault], runMinute);
    if (met[0] === 0) problems.push(`${cell}: did not happen`);
    if (waitedMs > functionMs) problems.push(`${cell}: takes ${waitedMs} ms`);
    problems.push(...violationsOf(await readState()).map((one) => `${cell}: ${one}`));
    await quiet();
    const other = difference(done, await changes());
    if (Object.keys(other).length > 0) problems.push(`${cell}: leaves ${JSON.stringify(other)}`);
    problems.push(...violationsOf(await readState()).map((one) => `${cell}, later: ${one}`));
  }
  await restore();
  return problems;
};
