import { defineConfig } from 'vitest/config';
import common from './vitest.common.config.ts';

const { setupFiles = [], ...test } = common.test ?? {};

/** Files whose work is done by other processes, that load packages nobody else does, or that change what timers do. */
const apart = [
  'tests/local/run.test.ts',
  'tests/infra/bundles.test.ts',
  'tests/bench/warm/*.test.ts',
  'tests/infra/cli/*.test.ts',
  'tests/faults/{copy,proxy}.test.ts',
];

/** Files that synthesize the stack: the CDK takes seconds to load, so they share it. */
const stack = [
  'tests/infra/{apis,functions,jobs,mail,metrics,pins,stack}.test.ts',
  'tests/infra/files-bucket.test.ts',
  'tests/infra/cdk-nag.test.ts',
  'tests/infra/stages.test.ts',
];

/** What has a command of its own. */
const otherCommands = [
  'tests/**/*.{slow,long}.test.ts',
  'tests/browser/**/*.test.ts',
  'tests/{clients,lambda,faults/matrix,bench/cost,bench/scale}/*.test.ts',
];

/** Modules that hold what is the same for all tests, which a process loads once, as it does packages. */
const kept = [/\/tests\/support\/(openapi\/|infra\/synthesized)/];

/** Runs files one after another in a process that keeps the packages loaded. */
const inTurn = {
  server: { deps: { external: kept } },
  isolate: false,
  setupFiles: ['tests/support/run/fresh-start.ts', ...setupFiles],
  sequence: { setupFiles: 'list' as const },
  // The modules of files that are over are let go of only when memory is short.
  execArgv: ['--max-old-space-size=2048'],
};

export default defineConfig({
  ...common,
  test: {
    ...test,
    projects: [
      {
        extends: true,
        test: { name: 'apart', include: apart, setupFiles },
      },
      {
        extends: true,
        test: { ...inTurn, name: 'stack', include: stack },
      },
      {
        extends: true,
        test: {
          ...inTurn,
          // Most files take less time than to load the packages, so one process a core runs them one after another.
          name: 'in turn',
          include: ['tests/**/*.test.ts'],
          exclude: [...apart, ...stack, ...otherCommands],
        },
      },
    ],
  },
});
