import { defineConfig, mergeConfig } from 'vitest/config';
import config from './vitest.common.config.ts';

const { test, ...rest } = config;

/** The stack as it is deployed, its functions in processes as on Lambda. */
export default mergeConfig(
  rest,
  defineConfig({
    test: {
      ...test,
      include: ['tests/lambda/*.test.ts'],
      setupFiles: [...(test?.setupFiles ?? []), 'tests/lambda/setup.ts'],
    },
  }),
);
