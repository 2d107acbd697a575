import { defineConfig, mergeConfig } from 'vitest/config';
import config from './vitest.common.config.ts';

const { test, ...rest } = config;

/** What AWS errors become, on mocked clients: it needs no engine. */
export default mergeConfig(
  rest,
  defineConfig({
    test: {
      ...test,
      include: ['tests/**/aws{,-*}.test.ts', 'tests/shared/db/transaction.test.ts'],
      isolate: false,
      setupFiles: ['tests/support/run/fresh-start.ts', ...[test?.setupFiles ?? []].flat()],
      sequence: { setupFiles: 'list' },
    },
  }),
);
