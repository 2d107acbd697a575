import { defineConfig, mergeConfig } from 'vitest/config';
import config from './vitest.common.config.ts';

const { test, ...rest } = config;

/** Every call of every route with every fault of the services behind it, and servers that are killed: it takes half an hour. */
export default mergeConfig(
  rest,
  defineConfig({ test: { ...test, include: ['tests/faults/matrix/*.test.ts'] } }),
);
