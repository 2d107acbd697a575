import { defineConfig, mergeConfig } from 'vitest/config';
import config from './vitest.bundles.config.ts';

const { test, ...rest } = config;

/** What the stack costs, as measured on its functions. */
export default mergeConfig(
  rest,
  defineConfig({ test: { ...test, include: ['tests/bench/cost/*.test.ts'] } }),
);
