import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** From now on the clock stands still at a time (ms) and nothing is random, so that two programs that do the same can be compared. */
export const freezeRandomness = (now: number): void => {
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...args: [] | [number | string]) {
      super(...((args.length === 0 ? [now] : args) as [number]));
    }
    static override now(): number {
      return now;
    }
  } as DateConstructor;
  // What `require` answers is the very object that the bundles read their functions from.
  Object.assign(require('node:crypto'), {
    randomBytes: (size: number) => Buffer.alloc(size),
    randomInt: () => 0,
    randomUUID: () => '00000000-0000-4000-8000-000000000000',
  });
};
