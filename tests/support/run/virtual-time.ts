import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, vi } from 'vitest';

// Node keeps the text of the header for a second, within which a test moves the clock by months: clients would take
// that for a clock of their own that is wrong, and sign with the former time.
const withoutDate = (message: unknown): void => {
  (message as { readonly response: ServerResponse }).response.sendDate = false;
};
const channel = 'http.server.request.start';

/** Lets the clock of this test file stand still, at `now` first, until the test moves it; timers run as they do. */
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

/** Lets so many milliseconds pass. */
export const pass = (ms: number): void => {
  vi.setSystemTime(Date.now() + ms);
};
