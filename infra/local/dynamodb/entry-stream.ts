import { Stream } from 'node:stream';
import type { LevelIterator } from './dynalite.ts';

const ENTRIES_PER_READ = 100;

/**
 * Emits the iterator's entries as `data` events, then `end`. Closes the iterator at the end, on `destroy()` and on an
 * error. Passes errors, also those of listeners, to `fail`.
 */
export class EntryStream extends Stream {
  #destroyed = false;

  constructor(iterator: LevelIterator<unknown>, fail: (error: unknown) => void) {
    super();
    this.#emitAll(iterator).catch(fail);
  }

  destroy(): void {
    this.#destroyed = true;
  }

  async #emitAll(iterator: LevelIterator<unknown>): Promise<void> {
    try {
      while (!this.#destroyed) {
        const entries = await iterator.nextv(ENTRIES_PER_READ);
        if (entries.length === 0) break;
        for (const entry of entries) {
          if (this.#destroyed) return;
          this.emit('data', entry);
        }
      }
      if (!this.#destroyed) this.emit('end');
    } finally {
      await iterator.close();
    }
  }
}
