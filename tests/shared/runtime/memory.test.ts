import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { LruCache } from '../../../shared/runtime/lru-cache.ts';
import { createShortMemory } from '../../../shared/runtime/short-memory.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';

describe('LruCache', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const kept = (cache: LruCache<string>) => names.filter((name) => cache.get(name) !== undefined);

  it('drops the least recently used values', () => {
    const cache = new LruCache<string>(3);
    for (const name of ['a', 'b', 'c']) cache.set(name, name);
    cache.get('a');
    cache.set('b', 'again');
    cache.set('d', 'd');
    expect(kept(cache)).toEqual(['a', 'b', 'd']);
  });

  it('limits the size of all values together', () => {
    const cache = new LruCache<string>(10, ({ length }) => length);
    for (const name of ['a', 'b', 'c']) cache.set(name, '123');
    cache.set('b', '12345');
    expect(kept(cache)).toEqual(['b', 'c']);
    cache.delete('c');
    cache.delete('c');
    cache.set('d', '12345');
    expect(kept(cache)).toEqual(['b', 'd']);
    // One that is too large drops no other.
    cache.set('e', '12345678901');
    expect(kept(cache)).toEqual(['b', 'd']);
  });

  it('shows no log what it holds', () => {
    const cache = new LruCache<string>(3);
    cache.set('a secret', 'a secret');
    const options = { showHidden: true, depth: null };
    for (const text of [inspect(cache, options), JSON.stringify({ cache }), `${cache}`]) {
      expect(text).not.toContain('secret');
    }
  });
});

describe('createShortMemory', () => {
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
