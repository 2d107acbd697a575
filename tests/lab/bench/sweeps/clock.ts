import { subscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { install } from '@sinonjs/fake-timers';

const start = '2026-11-21T12:00:00Z';

/** Stops `Date` in this process. Returns the function that sets it (ms since 1970). */
export const stopClock = (): ((now: number) => void) => {
  const clock = install({ toFake: ['Date'], now: Date.parse(start) });
  // Clients would correct their clock by the header, which Node keeps for a second.
  subscribe('http.server.request.start', (message) => {
    (message as { readonly response: ServerResponse }).response.sendDate = false;
  });
  return (now) => clock.setSystemTime(now);
};
