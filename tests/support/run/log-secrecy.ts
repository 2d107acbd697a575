import { Console } from 'node:console';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { Writable } from 'node:stream';
import { afterAll, expect } from 'vitest';
import { findLeaks, keepSecret, type Leak } from './secrets.ts';

/** Where a line was written. */
export type Channel = 'console' | 'stdout' | 'stderr' | 'process';

const written = new Map<Channel, string>();

/** Adds to what is searched when the file ends. */
export const capture = (channel: Channel, text: string): void => {
  written.set(channel, (written.get(channel) ?? '') + text);
};

/** The secrets in all that was written up to now, which is forgotten. */
export const takeLeaks = (): (Leak & { readonly channel: Channel })[] => {
  const leaks = [...written].flatMap(([channel, output]) =>
    findLeaks(output).map((leak) => ({ channel, ...leak })),
  );
  written.clear();
  return leaks;
};

/** Vitest's own, which shows what it gets below a test that failed. */
const shown = console;

const show = (text: string): void => shown.log(text.replace(/\n$/, ''));

const captured = (channel: Channel): Writable =>
  new Writable({
    write(chunk, _, done) {
      capture(channel, String(chunk));
      show(String(chunk));
      done();
    },
  });

/** Takes what a stream of this process is given, so that none of it reaches the terminal. */
const divert = (channel: 'stdout' | 'stderr'): void => {
  const stream = captured(channel);
  process[channel].write = stream.write.bind(stream) as typeof process.stdout.write;
};

type Derived = (error: Error | null, key: Buffer) => void;

/** Keeps every key that scrypt derives: the hashes of passwords, which nothing but the table ever holds. */
const keepDerivedKeys = (): void => {
  const { scrypt } = crypto;
  const keeping = (...args: unknown[]): void => {
    const derived = args.pop() as Derived;
    const keep: Derived = (error, key) => {
      if (!error) keepSecret('scrypt hash', key);
      derived(error, key);
    };
    (scrypt as (...all: unknown[]) => void)(...args, keep);
  };
  crypto.scrypt = keeping as typeof scrypt;
  syncBuiltinESMExports();
};

// No mocks of vitest, which a test may restore all at once.
globalThis.console = new Console({
  stdout: captured('console'),
  stderr: captured('console'),
});
divert('stdout');
divert('stderr');
keepDerivedKeys();
keepSecret('signing secret', process.env['JWT_SECRET'] ?? '');

afterAll(() => {
  expect(takeLeaks(), 'secrets in what was logged').toEqual([]);
});
