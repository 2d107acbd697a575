/**
 * Does what every first request needs while the function starts (decisions.md#cold-starts). For the entries alone: importing
 * anything else does nothing. What fails here is tried again by the request that needs it, which reports the failure.
 */
export const prepare = (...works: readonly (() => unknown)[]): void => {
  for (const work of works) (async () => work())().catch(() => {});
};
