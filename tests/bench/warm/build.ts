import { join } from 'node:path';
import { build } from 'esbuild';
import type { Contender } from './contenders.ts';

const here = import.meta.dirname;
const root = join(here, '../../..');

const quiet = join(here, 'quiet');

/** What answers at once in the place of the table: the document client, or the network below the SDK. */
export type Engine = 'client' | 'network';

/** Bundles a handler with an engine into `outfile`, by the options of infra/api-function.ts. */
export const bundle = async (
  contender: Contender,
  engine: Engine,
  outfile: string,
): Promise<void> => {
  const { module, withoutTelemetry } = contender;
  await build({
    stdin: {
      contents: `import './engines/${engine}.ts'; export { handler } from '${module}';`,
      resolveDir: here,
      loader: 'ts',
    },
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    minify: true,
    sourcemap: 'external',
    sourcesContent: false,
    logLevel: 'error',
    alias: {
      '@aws-sdk/credential-provider-node': join(root, 'infra/bundle/lambda-credentials.ts'),
      '@smithy/core/event-streams': join(root, 'infra/bundle/no-event-streams.ts'),
      ...(withoutTelemetry && {
        '@aws-lambda-powertools/logger/middleware': join(quiet, 'middleware.ts'),
        '@aws-lambda-powertools/metrics/middleware': join(quiet, 'middleware.ts'),
        '@aws-lambda-powertools/logger': join(quiet, 'logger.ts'),
        '@aws-lambda-powertools/metrics': join(quiet, 'metrics.ts'),
      }),
    },
    external: ['supports-color'],
    banner: {
      js: '"use strict";const bundleUrl=require("node:url").pathToFileURL(__filename).href;',
    },
    define: { 'import.meta.url': 'bundleUrl' },
  });
};
