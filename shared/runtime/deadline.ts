/** Number of steps of a timeout. Late steps show that the process was blocked. */
const parts = 10;
/** Maximum number of steps when the process is blocked. */
const maxParts = 4 * parts;
/** A timer this late (ms) shows a blocked process. */
const lateMs = 20;

/**
 * Runs work with a deadline in ms and aborts its signal after that. Counts only time in which this process could have
 * noticed a response: while it is blocked or others use the CPU, received data is unread, which is no delay of the
 * service. Waits up to four times as long then.
 * @throws what the work throws, such as after its abort
 */
export const withDeadline = async <Result>(
  ms: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const deadline = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let lastTurn: NodeJS.Immediate | undefined;
  // Even a late timer lets received responses be read before the next one.
  const wait = (left: number, most: number): void => {
    const due = performance.now() + ms / parts;
    timer = setTimeout(() => {
      const rest = performance.now() - due > lateMs ? left : left - 1;
      if (rest > 0 && most > 1) wait(rest, most - 1);
      else lastTurn = setImmediate(() => deadline.abort(timedOut()));
    }, ms / parts);
  };
  wait(parts, maxParts);
  try {
    return await work(deadline.signal);
  } finally {
    clearTimeout(timer);
    clearImmediate(lastTurn);
  }
};

const timedOut = () => new DOMException('There was no answer in time', 'TimeoutError');
