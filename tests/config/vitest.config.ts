import { defineConfig } from 'vitest/config';
import common, { inTurn } from './vitest.common.config.ts';

const { setupFiles = [], ...test } = common.test ?? {};

/** Files whose work is done by other processes, that load packages nobody else does, or that change what timers do. */
const apart = [
  'tests/infra/bundles.test.ts',
  'tests/bench/warm/*.test.ts',
  'tests/faults/{copy,proxy}.test.ts',
];

/** Files that synthesize the stack: the CDK takes seconds to load, so they share it. */
const stack = [
  'tests/infra/{apis,edge,functions,jobs,mail,metrics,pins,stack}.test.ts',
  'tests/infra/files-bucket.test.ts',
];

/** What has a command of its own. */
const otherCommands = [
  'tests/**/*.{slow,long}.test.ts',
  'tests/browser/**/*.test.ts',
  'tests/{clients,lambda,faults/matrix,bench/cost,bench/scale}/*.test.ts',
];

export default defineConfig({
  ...common,
  test: {
    ...test,
    projects: [
      {
        extends: true,
        test: { name: 'apart', include: apart, exclude: otherCommands, setupFiles },
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
