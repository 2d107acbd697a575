import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const setupFiles = ['tests/support/run/environment.ts', 'tests/support/run/log-secrecy.ts'];

/** Modules that hold what is the same for all tests, which a process loads once, as it does packages. */
const kept = [/\/tests\/support\/(openapi\/|infra\/synthesized|run\/idle-services)/];

/** Runs files one after another in a process that keeps the packages loaded. */
export const inTurn = {
  server: { deps: { external: kept } },
  isolate: false,
  setupFiles: ['tests/support/run/fresh-start.ts', ...setupFiles],
  sequence: { setupFiles: 'list' as const },
  // The modules of files that are over are let go of only when memory is short.
  execArgv: ['--max-old-space-size=2048'],
};

/** What all runs of tests have in common. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    globalSetup: 'tests/support/run/build.ts',
    setupFiles,
    // What a test logs is shown when it fails.
    silent: 'passed-only',
    // By default one core is left to others, of two that is half.
    maxWorkers: '100%',
    // Ends only what hangs: on a shared machine a test may wait long for its share of a core.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
