import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Stops the clock at a time (ms) and removes randomness, so that the behavior of two programs can be compared. */
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
  // `require` returns the same object from which the bundles read their functions.
  Object.assign(require('node:crypto'), {
    randomBytes: (size: number) => Buffer.alloc(size),
    randomFillSync: (bytes: Buffer) => bytes.fill(0),
    randomInt: () => 0,
    randomUUID: () => '00000000-0000-4000-8000-000000000000',
  });
};
