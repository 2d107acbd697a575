import { defineConfig } from 'vitest/config';
import common from './vitest.common.config.ts';

/** The part of `npm run bench -- scale` that makes the sample requests of the tests. */
export default defineConfig({
  ...common,
  test: { ...common.test, include: ['tests/bench/scale/rates.test.ts'], silent: true },
});
