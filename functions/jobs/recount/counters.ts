import type { Counted, OwnCounts } from '../../../shared/counters/counter.ts';
import { counted as events } from '../../api/calendar/record/counters.ts';
import { counted as documents } from '../../api/documents/counters.ts';
import { counted as files } from '../../api/files/record/counters.ts';
import { ownCounts as conversations, counted as messages } from '../../api/messages/counters.ts';
import { ownCounts as notifications } from '../../api/notifications/counters.ts';
import { counted as sales } from '../../api/sales/counters.ts';
import { counted as shares } from '../../api/share/record/counters.ts';
import { counted as users } from '../../api/users/record/counters.ts';

/** The counted records of all groups. */
export const counted: readonly Counted[] = [
  ...documents,
  ...events,
  ...files,
  ...messages,
  ...sales,
  ...shares,
  ...users,
];

/** The numbers of all groups within records of a user. */
export const ownCounts: readonly OwnCounts[] = [conversations, notifications];
