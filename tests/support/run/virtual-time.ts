import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, vi } from 'vitest';

// Node caches the Date header for a second. Tests move the clock by months, so clients would detect a clock skew and
// sign with the old time.
const withoutDate = (message: unknown): void => {
  (message as { readonly response: ServerResponse }).response.sendDate = false;
};
const channel = 'http.server.request.start';

/** Stops the clock of this test file at `now` until a test moves it. Timers run normally. */
export const useVirtualTime = (now: string): void => {
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) });
    subscribe(channel, withoutDate);
  });
  afterAll(() => {
    unsubscribe(channel, withoutDate);
    vi.useRealTimers();
  });
};

/** Advances the clock by n milliseconds. */
export const pass = (ms: number): void => {
  vi.setSystemTime(Date.now() + ms);
};
