import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { LruCache } from '../../../shared/runtime/lru-cache.ts';

const names = ['a', 'b', 'c', 'd', 'e'];
const kept = (cache: LruCache<string>) => names.filter((name) => cache.get(name) !== undefined);

describe('LruCache', () => {
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
    cache.set('e', '12345678901');
    expect(kept(cache)).toEqual([]);
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
