import { runEach } from '../../../shared/schedule/due-work.ts';
import type { ScheduledWork } from '../../../shared/schedule/scheduled-work.ts';
import { accountKeys } from './record/keys.ts';

/** Deletes the accounts whose owners have left seven days ago. */
const leavingAccounts: ScheduledWork = {
  name: 'leaving-accounts',
  due: accountKeys.leaving,
  run: async (items, bound) => {
    // Loaded with the first account that is due: most runs have none.
    const { removeLeft } = await import('./record/left-accounts.ts');
    await runEach(items, ({ id }) => removeLeft(Number(id)), bound);
  },
};

export const scheduled: readonly ScheduledWork[] = [leavingAccounts];
