import { defineConfig, mergeConfig } from 'vitest/config';
import config, { inTurn } from './vitest.common.config.ts';

const { test, ...rest } = config;

/** What takes long in CI: models of histories, commands and services in processes of their own, stages of the stack. */
export default mergeConfig(
  rest,
  defineConfig({
    test: {
      ...test,
      ...inTurn,
      include: ['tests/**/*.slow.test.ts'],
    },
  }),
);
