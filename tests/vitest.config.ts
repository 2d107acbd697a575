import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

type Options = NonNullable<TestProjectInlineConfiguration['test']>;

const setupFiles = ['tests/support/run/environment.ts', 'tests/support/run/log-secrecy.ts'];

/** Runs files one after another in a process that keeps the packages loaded, and the modules of these places. */
const inTurn = (keptModules: RegExp): Options => ({
  server: { deps: { external: [keptModules] } },
  isolate: false,
  setupFiles: [
    'tests/support/run/fresh-start.ts',
    'tests/support/run/password-hashes.ts',
    ...setupFiles,
  ],
  sequence: { setupFiles: 'list' },
  // Requests leave much that is short-lived, which a larger young generation lets go of at a tenth less CPU. The modules
  // of files that are over are let go of only when memory is short.
  execArgv: ['--max-semi-space-size=64', '--max-old-space-size=2048'],
});

/**
 * Modules that hold what is the same for all tests, which a process loads once, as it does packages: also the engines,
 * which keep no state beside their instances.
 */
const sameForAll =
  /\/tests\/support\/(openapi\/|infra\/synthesized|run\/idle-services|service\/functions-of-endpoints)|\/infra\/local\/aws\//;

/** The same for pages: a process runs its files in one browser. */
const sameForPages = /\/tests\/support\/(openapi|pages\/shared-browser|run\/idle-services)/;

/** Files that synthesize the stack: the CDK takes seconds to load, so they share it. */
const stack = ['tests/infra/{apis,edge,functions,jobs,pins,stack}.test.ts'];

/** The bundles of the stack take the place of the handlers. */
const bundles: Options = { setupFiles: [...setupFiles, 'tests/lab/lambda/setup.ts'] };

/** The commands of package.json choose among these; tests/README.md and tests/lab/README.md say what each proves. */
const projects: Record<string, Options> = {
  main: {
    ...inTurn(sameForAll),
    include: ['tests/**/*.test.ts'],
    exclude: [
      ...stack,
      'tests/infra/bundles.test.ts',
      'tests/**/*.{slow,long}.test.ts',
      'tests/{browser,lab}/**',
    ],
  },
  'main-stack': { ...inTurn(sameForAll), include: stack },
  slow: { ...inTurn(sameForAll), include: ['tests/**/*.slow.test.ts'] },
  long: { include: ['tests/**/*.long.test.ts'], exclude: ['tests/browser/**'] },
  browser: {
    ...inTurn(sameForPages),
    include: ['tests/browser/**/*.test.ts'],
    exclude: ['tests/browser/matrix/**', 'tests/browser/**/*.long.test.ts'],
  },
  'browser-long': { ...inTurn(sameForPages), include: ['tests/browser/**/*.long.test.ts'] },
  matrix: { include: ['tests/browser/matrix/*.test.ts'] },
  lab: {
    include: ['tests/lab/{bench,load,fuzz,partitions}/**/*.test.ts'],
    exclude: ['tests/lab/bench/scale/rates.test.ts'],
  },
  rates: { include: ['tests/lab/bench/scale/rates.test.ts'] },
  models: { ...inTurn(sameForAll), include: ['tests/lab/models/*.test.ts'] },
  faults: { include: ['tests/lab/faults/**/*.test.ts'] },
  bundles: { ...bundles, include: ['tests/lab/lambda/*.test.ts', 'tests/infra/bundles.test.ts'] },
  cost: { ...bundles, include: ['tests/lab/cost/*.test.ts'] },
  clients: { include: ['tests/lab/clients/*.test.ts'] },
};

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    globalSetup: ['tests/support/run/build.ts', 'tests/support/run/types.ts'],
    // What a test logs is shown when it fails.
    silent: 'passed-only',
    // By default one core is left to others, of two that is half.
    maxWorkers: '100%',
    // Ends only what hangs: on a shared machine a test may wait long for its share of a core.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    projects: Object.entries(projects).map(([name, options]) => ({
      extends: true,
      test: { name, setupFiles, ...options },
    })),
  },
});
