import { defineConfig, mergeConfig } from 'vitest/config';
import config from './vitest.common.config.ts';

const { test, ...rest } = config;

/** What takes minutes and seldom changes: servers killed at every write, hostile documents, many records, the demo, packages. */
export default mergeConfig(
  rest,
  defineConfig({
    test: { ...test, include: ['tests/**/*.long.test.ts'], exclude: ['tests/browser/**'] },
  }),
);
