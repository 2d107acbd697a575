import { defineConfig, mergeConfig } from 'vitest/config';
import config from './vitest.common.config.ts';

const { test, ...rest } = config;

/** What users do in Chromium: a process runs its files one after another in one browser. */
export default mergeConfig(
  rest,
  defineConfig({
    test: {
      ...test,
      include: ['tests/browser/**/*.test.ts'],
      exclude: ['tests/browser/matrix/**', 'tests/browser/**/*.long.test.ts'],
      isolate: false,
      setupFiles: ['tests/support/run/fresh-start.ts', ...[test?.setupFiles ?? []].flat()],
      sequence: { setupFiles: 'list' },
      server: {
        deps: {
          external: [/\/tests\/support\/(openapi|pages\/shared-browser|run\/idle-services)/],
        },
      },
    },
  }),
);
