import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withDeadline } from '../../../shared/runtime/deadline.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Work that goes on until it is told to stop. */
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
const outcomeOf = (work: Promise<unknown>) => {
  const outcome = { isOver: false, error: undefined as unknown };
  work.catch((error) => Object.assign(outcome, { isOver: true, error }));
  return outcome;
};

describe('withDeadline', () => {
  it('returns the result or throws the error, and leaves no timer', async () => {
    expect(await withDeadline(1_000, async (signal) => signal.aborted)).toBe(false);
    const failure = new Error('It failed');
    await expect(withDeadline(1_000, () => Promise.reject(failure))).rejects.toBe(failure);
    const thrown = withDeadline(1_000, () => {
      throw failure;
    });
    await expect(thrown).rejects.toBe(failure);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('aborts the work with a TimeoutError', async () => {
    const outcome = outcomeOf(withDeadline(1_000, untilAborted));
    await vi.advanceTimersByTimeAsync(999);
    expect(outcome.isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await vi.advanceTimersToNextTimerAsync();
    expect(outcome).toEqual({ isOver: true, error: expect.any(DOMException) });
    expect((outcome.error as DOMException).name).toBe('TimeoutError');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('allows the same number of event loop turns, however late', async () => {
    const outcome = outcomeOf(withDeadline(1_000, untilAborted));
    const stalls = 10;
    for (let stall = 1; stall <= stalls; stall++) {
      expect([stall, outcome.isOver]).toEqual([stall, false]);
      // A process that is held notices nothing but the timer that comes next, by then long due.
      await vi.advanceTimersToNextTimerAsync();
    }
    expect(outcome.isOver).toBe(false);
    await vi.advanceTimersToNextTimerAsync();
    expect(outcome.isOver).toBe(true);
  });

  it('waits longer while the process is blocked, but not forever', async () => {
    const lag = vi.spyOn(performance, 'now');
    let now = 0;
    lag.mockImplementation(() => (now += 200));
    const outcome = outcomeOf(withDeadline(1_000, untilAborted));
    for (let part = 1; part <= 40; part++) {
      expect([part, outcome.isOver]).toEqual([part, false]);
      await vi.advanceTimersToNextTimerAsync();
    }
    await vi.advanceTimersToNextTimerAsync();
    expect(outcome.isOver).toBe(true);
    lag.mockRestore();
  });

  it('accepts responses received by the last turn', async () => {
    let finish = (_: string) => {};
    const result = withDeadline(
      10,
      () =>
        new Promise<string>((resolve) => {
          finish = resolve;
        }),
    );
    for (let turn = 0; turn < 10; turn++) await vi.advanceTimersToNextTimerAsync();
    expect(vi.getTimerCount()).toBe(1);
    finish('an answer');
    expect(await result).toBe('an answer');
    expect(vi.getTimerCount()).toBe(0);
  });
});
