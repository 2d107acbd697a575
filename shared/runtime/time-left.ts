import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from 'aws-lambda';

/** Lambda's context of an invocation. */
export type Invocation = Context;

/** The time in ms that an invocation takes to answer once its work is done or given up. */
export const answerMs = 500;

const invocations = new AsyncLocalStorage<Invocation>();

let first: Invocation | undefined;

/** Runs the work of an invocation, whose calls to AWS then end before it (decisions.md#deadlines). */
export const runWithin = <Result>(invocation: Invocation, work: () => Result): Result => {
  first ??= invocation;
  return invocations.run(invocation, work);
};

export const getInvocation = (): Invocation | undefined => invocations.getStore();

/** Returns whether this is the first invocation of this process. */
export const isFirstInvocation = (invocation: Invocation): boolean => invocation === first;

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
