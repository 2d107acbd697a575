import { pass } from '../run/virtual-time.ts';

/** Replaces `shared/runtime/backoff.ts`, so that retries are immediate. */
export const getBackoffMs = (): number => 0;
export const pause = async (ms: number): Promise<void> => pass(ms);
export const backOff = async (): Promise<void> => undefined;
