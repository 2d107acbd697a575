/** A time-out is told from a process that is held by looking so many times. */
const parts = 10;
/** So many parts may be looked at where the process can't keep up. */
const mostParts = 4 * parts;
/** A timer that comes so late (ms) tells of a process that can't keep up. */
const lateMs = 20;

/**
 * Does work that waits for others, and tells it to stop after so many ms. Only time counts in which this process could
 * have noticed an answer: while something holds it, or others have the processor, what has come in lies unread, and that is
 * nobody's delay but its own. Up to four times as long is waited then.
 * @throws what the work throws, for instance because it was told to stop
 */
export const withDeadline = async <Result>(
  ms: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const deadline = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let lastTurn: NodeJS.Immediate | undefined;
  // However late it comes, answers are read before the next.
  const wait = (left: number, most: number): void => {
    const due = performance.now() + ms / parts;
    timer = setTimeout(() => {
      const rest = performance.now() - due > lateMs ? left : left - 1;
      if (rest > 0 && most > 1) wait(rest, most - 1);
      else lastTurn = setImmediate(() => deadline.abort(timedOut()));
    }, ms / parts);
  };
  wait(parts, mostParts);
  try {
    return await work(deadline.signal);
  } finally {
    clearTimeout(timer);
    clearImmediate(lastTurn);
  }
};

const timedOut = () => new DOMException('There was no answer in time', 'TimeoutError');
