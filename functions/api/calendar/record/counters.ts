import type { Count, Counted } from '../../../../shared/counters/counter.ts';
import { inTotal, totals } from '../../../../shared/counters/total.ts';
import { isOpenTask, type StoredEvent } from './event.ts';
import { eventKeys } from './keys.ts';

/** Lists what an event adds to counters. */
export const getCounts = (event: StoredEvent | undefined): Count[] =>
  event && isOpenTask(event) ? [inTotal('pendingTasks')] : [];

export const counted: readonly Counted[] = [
  { record: eventKeys.record, counters: [totals], of: getCounts },
];
