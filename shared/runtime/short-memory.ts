import { LruCache } from './lru-cache.ts';

/** How long values are kept at most, in ms. */
const keptMs = 2_000;

interface Entry<Value> {
  readonly until: number;
  readonly size: number;
  readonly value: Promise<Value>;
}

/**
 * Keeps values for 2 s in this process, from before they are read. Concurrent requests for a key read once; failures are
 * not kept. The least recently used values make room for others.
 * @param maxSize of all values together, as `sizeOf` measures them
 * @param sizeOf returns `undefined` for a value that must not be kept
 */
export const createShortMemory = <Value>(
  maxSize: number,
  sizeOf: (value: Value) => number | undefined,
) => {
  const kept = new LruCache<Entry<Value>>(maxSize, ({ size }) => size);

  return (key: string, load: () => Promise<Value>): Promise<Value> => {
    const now = Date.now();
    const known = kept.get(key);
    if (known && now < known.until) return known.value;
    const value = load();
    const until = now + keptMs;
    kept.set(key, { until, size: 0, value });
    const settle = (size: number | undefined): void => {
      if (kept.get(key)?.value !== value) return;
      if (size === undefined) kept.delete(key);
      else kept.set(key, { until, size, value });
    };
    value.then(
      (loaded) => settle(sizeOf(loaded)),
      () => settle(undefined),
    );
    return value;
  };
};
