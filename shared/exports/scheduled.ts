import type { ScheduledWork } from '../schedule/scheduled-work.ts';
import { exportKeys } from './keys.ts';

/** Calls the function that makes exports while any waits, or one that ran has died. */
const dueExports: ScheduledWork = {
  name: 'due-exports',
  due: exportKeys.due,
  // The client is loaded with the first export: most runs have none.
  run: async () => (await import('./lambda.ts')).callExports(),
};

export const scheduled: readonly ScheduledWork[] = [dueExports];
