import type { ListResult } from '../lists/pagination.ts';
import type { Bound, Deadline } from '../lists/process-items.ts';

/** What a user can own. */
export type OwnedKind = 'shares' | 'documents' | 'files' | 'events';

/** A number of records, counted up to 1,000. */
export type OwnedCount = Pick<ListResult<unknown>, 'total' | 'totalIsExact'>;

/** Who currently receives what a removed user owned. */
export interface Receiver {
  /** `undefined` if the last receiver was removed without naming another; then everything is deleted. */
  readonly to: number | undefined;
  /** Receivers who were removed themselves, in order. */
  readonly former: readonly number[];
}

/** The receiver was removed during the transfer. The next attempt finds the new one. */
export class ReceiverRemoved extends Error {
  override readonly name = 'ReceiverRemoved';

  constructor() {
    super('The receiver was removed');
  }
}

/**
 * How a group handles its records when a user is removed, suspended or reactivated. A group declares it in `owned.ts`.
 */
export interface OwnedRecords {
  /**
   * Deletes what a removed user owns, or transfers it to `to`. Returns whether all is done.
   * @throws ReceiverRemoved
   */
  deleteOrTransfer(userId: number, options: Bound & Receiver): Promise<boolean>;
  /** Counts what a user owns of one kind. A group whose records belong to several users has none. */
  readonly counted?: {
    readonly kind: OwnedKind;
    count(userId: number): Promise<OwnedCount>;
  };
  /** Removes the user from other users' records. Returns whether all is done. */
  leave?(userId: number, bound: Bound): Promise<boolean>;
  /**
   * Hides the user's records from others, or shows them again. Returns the position from which the next call continues
   * (`after`), or `undefined` when all is done. One group declares it, because a job stores a single position.
   */
  setSuspended?(
    userId: number,
    isSuspended: boolean,
    bound: Deadline & { readonly after?: string | undefined },
  ): Promise<string | undefined>;
  /** Returns whether an item in the user's partition must be deleted by `deleteOrTransfer` instead of with the user. */
  mustDelete?(item: Readonly<Record<string, unknown>>): boolean;
}
