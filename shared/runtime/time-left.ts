import { AsyncLocalStorage } from 'node:async_hooks';

/** What is known of the time of an invocation: Lambda's context. */
interface Invocation {
  /** Returns the time in ms until Lambda ends the invocation. */
  getRemainingTimeInMillis(): number;
}

/** The time in ms that an invocation takes to answer once its work is done or given up. */
export const answerMs = 500;

const invocations = new AsyncLocalStorage<Invocation>();

/** Runs the work of an invocation, whose calls to AWS then end before it (decisions.md#deadlines). */
export const runWithin = <Result>(invocation: Invocation, work: () => Result): Result =>
  invocations.run(invocation, work);

/**
 * Returns the time in ms that the current invocation has for its work, less what its answer takes. Outside of an invocation
 * there is no end.
 */
export const getTimeLeft = (): number => {
  const invocation = invocations.getStore();
  return invocation ? invocation.getRemainingTimeInMillis() - answerMs : Number.POSITIVE_INFINITY;
};

/** Creates the error of work that took too long. Callers may try again. */
export const outOfTime = (): Error =>
  new DOMException('There is no time left in this invocation', 'TimeoutError');
