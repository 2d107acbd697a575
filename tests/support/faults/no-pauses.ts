/** Stands in for `shared/runtime/backoff.ts`: anyone who tries again does so at once. How long it waits is that module's test. */
export const getBackoffMs = (): number => 0;
export const backOff = async (): Promise<void> => undefined;
