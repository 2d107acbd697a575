import { indexFamily, keyFamily } from '../../../../shared/db/key.ts';

export const requestKeys = {
  /** Share request, with what was handed in. */
  record: keyFamily('REQUEST#{id}', 'REQUEST'),
  /** Report. */
  report: keyFamily('REQUEST#{id}', 'REPORT#{at}#{reportId}'),
  /** A user's share requests by creation. */
  byOwner: keyFamily('USER#{ownerId:int}', 'REQUEST#{createdAt}#{id}'),
  /** Reported share requests by their first undecided report. */
  reported: indexFamily('REQUESTS#REPORTED', '{reportedAt}#{id}'),
} as const;
