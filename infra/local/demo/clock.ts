import fakeTimers from '@sinonjs/fake-timers';

/** The time of this process, which can be set. Timers run as always. */
export interface Clock {
  /** Sets the time in ms since 1970. */
  setTime(ms: number): void;
  /** Returns to the real time. */
  remove(): void;
}

/** Replaces the time of this process, so that what the service stores was created at that time. */
export const installClock = (ms: number): Clock => {
  const clock = fakeTimers.install({ now: ms, toFake: ['Date'] });
  return { setTime: (at) => clock.setSystemTime(at), remove: () => clock.uninstall() };
};
