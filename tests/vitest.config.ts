import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    include: ['tests/*.test.ts'],
    setupFiles: ['tests/support/environment.ts', 'tests/support/log-secrecy.ts'],
    // What a test logs is shown when it fails.
    silent: 'passed-only',
    // By default one core is left to others, of two that is half.
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
