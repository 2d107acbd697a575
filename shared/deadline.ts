/** A time-out is told from a process that is held by looking so many times. */
const parts = 10;

/**
 * Does work that waits for others, and tells it to stop after so many ms. Only time counts in which this process could
 * have noticed an answer: while something holds it, what has come in lies unread, and that is nobody's delay but its own.
 * @throws what the work throws, for instance because it was told to stop
 */
export const withDeadline = async <Result>(
  ms: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const deadline = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let lastTurn: NodeJS.Immediate | undefined;
  // However late it comes, one part is over, and answers are read before the next.
  const wait = (left: number): void => {
    timer = setTimeout(() => {
      if (left > 1) wait(left - 1);
      else lastTurn = setImmediate(() => deadline.abort(timedOut()));
    }, ms / parts);
  };
  wait(parts);
  try {
    return await work(deadline.signal);
  } finally {
    clearTimeout(timer);
    clearImmediate(lastTurn);
  }
};

const timedOut = () => new DOMException('There was no answer in time', 'TimeoutError');
