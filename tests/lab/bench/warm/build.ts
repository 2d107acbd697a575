import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildBundle } from '../../../../infra/functions/function-code.ts';
import type { Contender } from './frameworks.ts';

const here = import.meta.dirname;
const quiet = join(here, 'quiet');

/** The part that responds from memory instead of the table: the document client, or the network below the SDK. */
export type Engine = 'client' | 'network';

const withoutTelemetry = {
  '@aws-lambda-powertools/logger': join(quiet, 'logger.ts'),
  '@aws-lambda-powertools/metrics': join(quiet, 'metrics.ts'),
};

/** Bundles a handler with an engine into a folder, as the functions are bundled; returns the file to load. */
export const bundle = async (
  contender: Contender,
  engine: Engine,
  folder: string,
): Promise<string> => {
  const entry = join(folder, 'entry.ts');
  const [first, second] = [`engines/${engine}.ts`, contender.module].map((module) =>
    JSON.stringify(join(here, module)),
  );
  await mkdir(folder, { recursive: true });
  await writeFile(entry, `import ${first}; export { handler } from ${second};`);
  buildBundle(entry, folder, contender.withoutTelemetry ? withoutTelemetry : {});
  return join(folder, 'bundle.js');
};
