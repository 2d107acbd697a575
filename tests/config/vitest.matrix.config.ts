import { defineConfig, mergeConfig } from 'vitest/config';
import config from './vitest.common.config.ts';

const { test, ...rest } = config;

/** Every page in every state and view: colors, widths, text of 200 %, forced colors, less motion. */
export default mergeConfig(
  rest,
  defineConfig({ test: { ...test, include: ['tests/browser/matrix/*.test.ts'] } }),
);
