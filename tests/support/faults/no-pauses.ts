/** Replaces `shared/runtime/backoff.ts`, so that retries are immediate. */
export const getBackoffMs = (): number => 0;
export const backOff = async (): Promise<void> => undefined;
