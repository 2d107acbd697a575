/**
 * Values by name. Drops the least recently used ones once all together are larger than `maxSize`, and keeps none that is larger
 * alone.
 */
export class LruCache<Value> {
  // Private, so that neither a log entry nor an inspection shows names or values.
  readonly #entries = new Map<string, Value>();
  readonly #maxSize: number;
  readonly #getSize: (value: Value) => number;
  #total = 0;

  /** By default, `maxSize` is a number of values. */
  constructor(maxSize: number, getSize: (value: Value) => number = () => 1) {
    this.#maxSize = maxSize;
    this.#getSize = getSize;
  }

  /** Returns a value, which counts as a use. */
  get(name: string): Value | undefined {
    const value = this.#entries.get(name);
    if (value === undefined) return undefined;
    this.#entries.delete(name);
    this.#entries.set(name, value);
    return value;
  }

  set(name: string, value: Value): void {
    this.delete(name);
    const size = this.#getSize(value);
    // It would make room of all others, and then be dropped itself.
    if (size > this.#maxSize) return;
    this.#entries.set(name, value);
    this.#total += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#total <= this.#maxSize) break;
      this.delete(oldest);
    }
  }

  delete(name: string): void {
    const value = this.#entries.get(name);
    if (value === undefined) return;
    this.#entries.delete(name);
    this.#total -= this.#getSize(value);
  }
}
