import { defineConfig, mergeConfig } from 'vitest/config';
import config from './vitest.common.config.ts';

const { test, ...rest } = config;

/** The suites that take minutes: models of histories, and processes that are killed. */
export default mergeConfig(
  rest,
  defineConfig({ test: { ...test, include: ['tests/**/*.slow.test.ts'] } }),
);
