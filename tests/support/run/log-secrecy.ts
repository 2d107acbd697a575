import { Console } from 'node:console';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { Writable } from 'node:stream';
import { afterAll, afterEach, expect } from 'vitest';
import { findLeaks, keepSecret, type Leak } from './secrets.ts';

/** The stream of a line. */
export type Channel = 'console' | 'stdout' | 'stderr' | 'process';

const written = new Map<Channel, string>();

/** Adds output to search at the end of the file. */
export const capture = (channel: Channel, text: string): void => {
  written.set(channel, (written.get(channel) ?? '') + text);
};

/** Returns the secrets in all output so far, and clears it. */
export const takeLeaks = (): (Leak & { readonly channel: Channel })[] => {
  const leaks = [...written].flatMap(([channel, output]) =>
    findLeaks(output).map((leak) => ({ channel, ...leak })),
  );
  written.clear();
  return leaks;
};

/** Vitest's console, which sends each line to its own process and shows it below the test. */
const shown = console;

/** What was logged since the last test. */
let logged = '';

const captured = (channel: Channel): Writable =>
  new Writable({
    write(chunk, _, done) {
      capture(channel, String(chunk));
      logged += chunk;
      done();
    },
  });

/** Captures a stream of this process, so that it does not reach the terminal. */
const divert = (channel: 'stdout' | 'stderr'): void => {
  const stream = captured(channel);
  process[channel].write = stream.write.bind(stream) as typeof process.stdout.write;
};

/** Derives keys at a low cost, and records them: these password hashes are only stored in the table. */
const keepDerivedKeys = (): void => {
  const { scrypt } = crypto;
  crypto.scrypt = ((...[password, salt, length, , derived]: Parameters<typeof scrypt>) =>
    scrypt(password, salt, length, { N: 2 }, (error, key) => {
      if (!error) keepSecret('scrypt hash', key);
      derived(error, key);
    })) as typeof scrypt;
  syncBuiltinESMExports();
};

// Not mocks of Vitest, because a test may restore all of them.
globalThis.console = new Console({
  stdout: captured('console'),
  stderr: captured('console'),
});
divert('stdout');
divert('stderr');
keepDerivedKeys();
keepSecret('signing secret', process.env['JWT_SECRET'] ?? '');

afterEach(({ task }) => {
  if (task.result?.state === 'fail' && logged !== '') shown.log(logged.replace(/\n$/, ''));
  logged = '';
});

afterAll(() => {
  expect(takeLeaks(), 'secrets in what was logged').toEqual([]);
});
