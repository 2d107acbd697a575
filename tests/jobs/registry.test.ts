import { describe, expect, it } from 'vitest';
import { ownedRecords } from '../../functions/api/owned-records.ts';
import { workers } from '../../functions/jobs/registry.ts';
import { scheduledWork } from '../../functions/jobs/scheduled.ts';
import { dueJobs } from '../support/faults/due-jobs.ts';
import { dueSweeps } from '../support/faults/due-sweeps.ts';

const sorted = (names: readonly string[]): string[] => names.toSorted();

describe('workers and scheduled work', () => {
  it('have one worker per job type, each covered by the fault suite', () => {
    const names = workers.map(({ type }) => type.name);
    expect(new Set(names).size).toBe(names.length);
    expect(sorted(names)).toEqual(sorted(Object.keys(dueJobs)));
  });

  it('have unique names for scheduled work, each covered by the fault suite', () => {
    const names = scheduledWork.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(sorted(names)).toEqual(sorted(Object.keys(dueSweeps)));
  });

  it('have one group with setSuspended, because a job stores a single position', () => {
    expect(ownedRecords.filter(({ setSuspended }) => setSuspended)).toHaveLength(1);
  });
});
