import { defineConfig } from 'vitest/config';
import common from './vitest.common.config.ts';

/** Clients that generators make of the OpenAPI document. The generators are downloaded when this runs. */
export default defineConfig({
  ...common,
  test: { ...common.test, include: ['tests/clients/*.test.ts'] },
});
