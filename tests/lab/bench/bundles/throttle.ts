import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Observer } from './cold-start.ts';

/** Holds one process at a time to a share of a core, from when it waits for its first event until it has answered. */
export interface Throttle extends Observer {
  close(): Promise<void>;
}

/** Starts a thread for it, because the timers of this one are too inexact. */
export const createThrottle = (share: number): Throttle => {
  const state = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(join(import.meta.dirname, 'duty-cycle.ts'), {
    workerData: { state, share },
  });
  const set = (pid: number): void => {
    Atomics.store(state, 0, pid);
    Atomics.notify(state, 0);
  };
  return {
    onStarted: set,
    onAnswered: () => set(0),
    close: async () => {
      set(-1);
      await worker.terminate();
    },
  };
};
