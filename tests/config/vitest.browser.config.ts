import { defineConfig, mergeConfig } from 'vitest/config';
import config from './vitest.common.config.ts';

const { test, ...rest } = config;

/** The pages in Chromium. */
export default mergeConfig(
  rest,
  defineConfig({ test: { ...test, include: ['tests/browser/*.test.ts'] } }),
);
