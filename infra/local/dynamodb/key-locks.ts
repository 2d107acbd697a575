export type Release = () => void;

export interface KeyLocks {
  /** Waits until every key is free and takes them all; the caller must call the result once. */
  acquire(keys: Iterable<string>): Promise<Release>;
  /** Runs `work` with the keys taken. */
  hold<Result>(keys: Iterable<string>, work: () => Promise<Result>): Promise<Result>;
}

/** Locks on keys, first come first served. Reads take none. */
export const createKeyLocks = (): KeyLocks => {
  const lastHolder = new Map<string, Promise<void>>();

  const acquire = async (keys: Iterable<string>): Promise<Release> => {
    // Everyone takes keys in the same order, so nobody waits in a circle.
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
