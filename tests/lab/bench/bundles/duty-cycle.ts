/** The thread of `throttle.ts`: stops a process for the rest of each period. */
import { workerData } from 'node:worker_threads';

/** The period of Linux's quotas that Lambda uses, in ms. */
const periodMs = 20;

const { state, share } = workerData as { readonly state: Int32Array; readonly share: number };

/** Sends a signal, unless the process has ended. */
const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {}
};

for (;;) {
  Atomics.wait(state, 0, 0);
  const pid = Atomics.load(state, 0);
  if (pid < 0) break;
  // It has answered already. A signal to 0 would go to this process and its group.
  if (pid === 0) continue;
  for (const [signal, ms] of [
    ['SIGCONT', periodMs * share],
    ['SIGSTOP', periodMs * (1 - share)],
  ] as const) {
    send(pid, signal);
    Atomics.wait(state, 0, pid, ms);
  }
  if (Atomics.load(state, 0) !== pid) send(pid, 'SIGCONT');
}
