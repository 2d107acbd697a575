import type { Deadline } from '../lists/process-items.ts';

/** Who gets what a removed user owned, as things are now. */
export interface Receiver {
  /** `undefined` where the last receiver was removed without naming another: then it is all removed. */
  readonly to: number | undefined;
  /** Receivers who have been removed themselves, in their order. */
  readonly former: readonly number[];
}

/** The receiver of a transfer was removed while it ran. The next attempt finds who gets the rest. */
export class ReceiverRemoved extends Error {
  override readonly name = 'ReceiverRemoved';

  constructor() {
    super('The receiver was removed');
  }
}

/** What a group has to do with its records when a user is removed, suspended or active again. It declares it in `owned.ts`. */
export interface OwnedRecords {
  /**
   * Deletes what a removed user owns, or transfers it to `to`. Returns whether all is done.
   * @throws ReceiverRemoved
   */
  deleteOrTransfer(userId: number, options: Deadline & Receiver): Promise<boolean>;
  /** Takes a removed user out of what others own. Returns whether all is done. */
  leave?(userId: number, bound: Deadline): Promise<boolean>;
  /**
   * Closes what the user owns to others, or opens it again. Returns the place behind which the next call continues
   * (`after`), or `undefined` when all is done. One group declares it: a job keeps a single place.
   */
  setSuspended?(
    userId: number,
    isSuspended: boolean,
    bound: Deadline & { readonly after?: string | undefined },
  ): Promise<string | undefined>;
  /** Returns whether an item of the user's partition must be deleted by `deleteOrTransfer` and not with the user. */
  mustDelete?(item: Readonly<Record<string, unknown>>): boolean;
}
