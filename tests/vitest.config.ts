import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    include: ['tests/**/*.test.ts'],
    setupFiles: ['tests/support/environment.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
