import { describe, expect, it } from 'vitest';
import { createShortMemory } from '../../../shared/runtime/short-memory.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';

useVirtualTime('2026-11-21T12:00:00Z');

const create = (maxSize = 100) => {
  const remember = createShortMemory<string>(maxSize, (value) =>
    value.startsWith('!') ? undefined : value.length,
  );
  const loaded: string[] = [];
  const get = (key: string, value = key) =>
    remember(key, async () => {
      loaded.push(key);
      return value;
    });
  return { remember, get, loaded };
};

describe('createShortMemory', () => {
  it('loads a value again after 2 s', async () => {
    const { get, loaded } = create();
    expect(await get('a', 'one')).toBe('one');
    pass(1_999);
    expect(await get('a', 'two')).toBe('one');
    pass(1);
    expect(await get('a', 'two')).toBe('two');
    expect(loaded).toEqual(['a', 'a']);
  });

  it('counts the time from before it loads', async () => {
    const { remember } = create();
    await remember('a', async () => {
      pass(1_500);
      return 'slow';
    });
    pass(500);
    expect(await remember('a', async () => 'new')).toBe('new');
  });

  it('loads once for concurrent requests', async () => {
    const { get, loaded } = create();
    expect(await Promise.all([get('a'), get('a'), get('b')])).toEqual(['a', 'a', 'b']);
    expect(loaded).toEqual(['a', 'b']);
  });

  it('keeps no failure, and nothing that must not be kept', async () => {
    const { remember, get, loaded } = create();
    await expect(remember('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await get('a')).toBe('a');
    await get('b', '!');
    await get('b', '!');
    expect(loaded).toEqual(['a', 'b', 'b']);
  });

  it('drops the oldest values if all are too large together', async () => {
    const { get, loaded } = create(10);
    for (const key of ['aaaa', 'bbbb', 'cccc']) await get(key);
    await get('cccc');
    await get('bbbb');
    await get('aaaa');
    expect(loaded).toEqual(['aaaa', 'bbbb', 'cccc', 'aaaa']);
    await get('a value longer than all together');
    await get('a value longer than all together');
    expect(loaded).toHaveLength(6);
  });
});
