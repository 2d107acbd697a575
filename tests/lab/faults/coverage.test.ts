import { describe, expect, it } from 'vitest';
import { workers } from '../../../functions/jobs/registry.ts';
import { scheduledWork } from '../../../functions/jobs/sweeps/scheduled.ts';
import { dueJobs } from '../support/faults/due-jobs.ts';
import { dueSweeps } from '../support/faults/due-sweeps.ts';

/** Puts events on a bus and changes nothing else: `tests/jobs/events/event-bus.test.ts` tries what fails of it. */
const withoutChanges = ['bus-events'];

describe('the faults', () => {
  it('are tried with a job of every type', () => {
    const types = workers
      .map(({ type }) => type.name)
      .filter((name) => !withoutChanges.includes(name));
    expect(Object.keys(dueJobs).toSorted()).toEqual(types.toSorted());
  });

  it('are tried with all scheduled work', () => {
    const names = scheduledWork.map(({ name }) => name);
    expect(Object.keys(dueSweeps).toSorted()).toEqual(names.toSorted());
  });
});
