/** Lambda restarts a function that takes 10 s to start: https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html */
const maxMs = 3_000;

/**
 * Does what every first request needs while the function starts (decisions.md#cold-starts). For the entries alone: importing
 * anything else does nothing. What fails here is tried again by the request that needs it, which reports the failure.
 * Returns when all is done, after three seconds at most. An entry exports that as `ready`, and its start waits for it.
 */
export const prepare = async (...works: readonly (() => unknown)[]): Promise<void> => {
  const tooLong = new Promise<void>((resolve) => void setTimeout(resolve, maxMs).unref());
  await Promise.race([Promise.allSettled(works.map(async (work) => work())), tooLong]);
};
