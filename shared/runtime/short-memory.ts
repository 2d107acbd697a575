/** How long values are kept at most, in ms. */
const keptMs = 2_000;

interface Entry<Value> {
  readonly until: number;
  readonly size: number;
  readonly value: Promise<Value>;
}

/**
 * Keeps values for 2 s in this process, from before they are read. Concurrent requests for a key read once; failures are
 * not kept. The oldest values make room for others.
 * @param maxSize of all values together, as `sizeOf` measures them
 * @param sizeOf returns `undefined` for a value that must not be kept
 */
export const createShortMemory = <Value>(
  maxSize: number,
  sizeOf: (value: Value) => number | undefined,
) => {
  const kept = new Map<string, Entry<Value>>();
  let total = 0;

  const remove = (key: string): void => {
    total -= kept.get(key)?.size ?? 0;
    kept.delete(key);
  };

  const keep = (key: string, entry: Entry<Value>): void => {
    remove(key);
    kept.set(key, entry);
    total += entry.size;
    for (const oldest of kept.keys()) {
      if (total <= maxSize) break;
      remove(oldest);
    }
  };

  return (key: string, load: () => Promise<Value>): Promise<Value> => {
    const now = Date.now();
    const known = kept.get(key);
    if (known && now < known.until) return known.value;
    const value = load();
    const until = now + keptMs;
    keep(key, { until, size: 0, value });
    value.then(
      (loaded) => {
        if (kept.get(key)?.value !== value) return;
        const size = sizeOf(loaded);
        if (size === undefined) remove(key);
        else keep(key, { until, size, value });
      },
      () => kept.get(key)?.value === value && remove(key),
    );
    return value;
  };
};
