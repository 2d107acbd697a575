import { defineConfig } from 'vitest/config';
import config from './vitest.browser.config.ts';

/** What only a browser shows and what seldom breaks, with the options of the browser suite. */
export default defineConfig({
  ...config,
  test: { ...config.test, include: ['tests/browser/**/*.long.test.ts'], exclude: [] },
});
