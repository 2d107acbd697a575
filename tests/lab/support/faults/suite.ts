import { appendFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import type { Asked } from '../../../support/faults/aws-request.ts';
import { useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useFaultyEngines } from './engines.ts';
import type { Cell } from './matrix.ts';
import { sufferAll } from './run-faults.ts';
import { selectedCalls } from './sample-requests.ts';

/** A file to record the results and duration of each call. */
const notes = process.env['FAULTS_LOG'];

const note = (line: string): void => {
  if (notes !== undefined) appendFileSync(notes, `${line}\n`);
};

/** Creates a test of each selected typical call with the faults of these cells. */
export const testFaults = async (
  isChosen: (call: string) => boolean,
  cellsFor: (call: string, asked: readonly Asked[]) => readonly Cell[],
): Promise<{ readonly kinds: ReadonlySet<string> }> => {
  useVirtualTime('2026-11-10T12:00:00Z');
  const engines = useFaultyEngines();
  const kinds = new Set<string>();
  let [cells, busy] = [0, 0];
  const calls = (await selectedCalls()).filter(([call]) => isChosen(call));
  it.each(calls)(
    '%s',
    async (call, prepare) => {
      const started = performance.now();
      const report = await sufferAll(engines, call, prepare, (asked) => {
        const chosen = cellsFor(call, asked);
        for (const { fault } of chosen) kinds.add(fault.kind);
        return chosen;
      });
      cells += report.answered + report.busy;
      busy += report.busy;
      const ms = Math.round(performance.now() - started);
      note(`${call}: ${report.answered} answered, ${report.busy} busy, ${ms} ms`);
      for (const problem of report.problems) note(`   ${problem}`);
      expect(report.problems).toEqual([]);
    },
    5 * 60_000,
  );
  afterAll(() => note(`${cells} cells, ${busy} busy`));
  return { kinds };
};
