import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { prepare } from '../../../shared/runtime/prepare.ts';

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
