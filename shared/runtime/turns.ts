/** A fixed number of turns, first come, first served. */
export interface Turns {
  /**
   * Waits for a turn, which the caller must give back.
   * @throws the signal's reason
   */
  take(signal: AbortSignal): Promise<void>;
  giveBack(): void;
}

export const createTurns = (count: number): Turns => {
  let free = count;
  const waiting = new Set<() => void>();
  return {
    async take(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free--;
        return;
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const leave = () => {
        waiting.delete(resolve);
        reject(signal.reason);
      };
      waiting.add(resolve);
      signal.addEventListener('abort', leave, { once: true });
      await promise;
      signal.removeEventListener('abort', leave);
    },
    giveBack() {
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next();
      } else {
        free++;
      }
    },
  };
};
