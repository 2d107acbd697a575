import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** What all runs of tests have in common. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    globalSetup: 'tests/support/run/build.ts',
    setupFiles: ['tests/support/run/environment.ts', 'tests/support/run/log-secrecy.ts'],
    // What a test logs is shown when it fails.
    silent: 'passed-only',
    // By default one core is left to others, of two that is half.
    maxWorkers: '100%',
    // Ends only what hangs: on a shared machine a test may wait long for its share of a core.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
