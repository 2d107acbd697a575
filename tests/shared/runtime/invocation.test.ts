import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { withDeadline } from '../../../shared/runtime/deadline.ts';
import { prepare } from '../../../shared/runtime/prepare.ts';
import { getLogger, publishMetrics } from '../../../shared/runtime/telemetry.ts';
import { runWithin } from '../../../shared/runtime/time-left.ts';

describe('withDeadline', () => {
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

describe('the preparation of a start', () => {
  it('is ready when all is done, whatever fails', async () => {
    const done: string[] = [];
    await prepare(
      () => {
        throw new Error('At once');
      },
      () => Promise.reject(new Error('Later')),
      async () => {
        await Promise.resolve();
        done.push('read');
      },
    );
    expect(done).toEqual(['read']);
  });

  it('waits three seconds at most', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let isReady = false;
    void prepare(() => new Promise(() => {})).then(() => {
      isReady = true;
    });
    await vi.advanceTimersByTimeAsync(2_999);
    expect(isReady).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isReady).toBe(true);
  });
});

describe('the log of an invocation', () => {
  const lines: Record<string, unknown>[] = [];

  beforeEach(() => {
    vi.stubEnv('POWERTOOLS_DEV', 'true');
    vi.spyOn(console, 'error').mockImplementation((line: string) => {
      lines.push(JSON.parse(line));
    });
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it('names the invocation in each line, and only the first one of a process as a cold start', () => {
    const invoke = (awsRequestId: string, work: () => void) =>
      runWithin({ awsRequestId, functionName: 'x' } as Context, work);
    invoke('first', () => publishMetrics());
    invoke('second', () => getLogger().error('late'));
    invoke('third', () => {
      getLogger().error('one');
      getLogger().error('two');
    });
    const told = lines.map(({ message, function_request_id: id, cold_start: cold }) => [
      message,
      id,
      cold,
    ]);
    expect(told).toEqual([
      ['late', 'second', false],
      ['one', 'third', false],
      ['two', 'third', false],
    ]);
  });
});
