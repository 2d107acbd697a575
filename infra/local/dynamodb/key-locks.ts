export type Release = () => void;

export interface KeyLocks {
  /** Waits until every key is free and locks them all. The caller must call the result once to release them. */
  acquire(keys: Iterable<string>): Promise<Release>;
  /** Runs `work` with the keys locked. */
  hold<Result>(keys: Iterable<string>, work: () => Promise<Result>): Promise<Result>;
}

/** Creates locks on keys, granted in order of request. Reads need none. */
export const createKeyLocks = (): KeyLocks => {
  const lastHolder = new Map<string, Promise<void>>();

  const acquire = async (keys: Iterable<string>): Promise<Release> => {
    // All callers lock keys in the same order, which prevents deadlocks.
    const ordered = [...new Set(keys)].sort();
    const { promise: released, resolve } = Promise.withResolvers<void>();
    for (const key of ordered) {
      const before = lastHolder.get(key);
      lastHolder.set(key, released);
      await before;
    }
    return () => {
      for (const key of ordered) {
        if (lastHolder.get(key) === released) lastHolder.delete(key);
      }
      resolve();
    };
  };

  return {
    acquire,
    async hold(keys, work) {
      const release = await acquire(keys);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
};
