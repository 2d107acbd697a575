import { defineConfig } from 'vitest/config';
import common from './vitest.common.config.ts';

const { setupFiles = [], ...test } = common.test ?? {};

/** Files that one process a core runs one after another: most of them takes less time than to load the packages. */
const sharing = ['tests/aws-*.test.ts', 'tests/*-aws.test.ts'];

export default defineConfig({
  ...common,
  test: {
    ...test,
    projects: [
      {
        extends: true,
        test: { name: 'own process', include: ['tests/*.test.ts'], exclude: sharing, setupFiles },
      },
      {
        extends: true,
        test: {
          name: 'shared process',
          include: sharing,
          isolate: false,
          setupFiles: ['tests/support/fresh-start.ts', ...setupFiles],
          sequence: { setupFiles: 'list' },
        },
      },
    ],
  },
});
