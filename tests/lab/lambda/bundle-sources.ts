import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
};

/** Returns the package of a source as named in the lock file, such as `node_modules/zod`. */
const packageOf = (source: string): string | undefined =>
  source.match(/node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/)?.[0];

/** Returns the path of a source in the project. */
const inProject = (source: string): string =>
  source.replace(/^(?:.*\/)?(?=(?:functions|shared|infra|tests)\/)/, '');

/** Sources allowed in each function besides its group: shared code, and replacements for parts of packages. */
const deployable = /^(functions|shared|infra\/functions\/stand-ins)\//;

const isForeign = (source: string): boolean => {
  const name = packageOf(source);
  if (name !== undefined) return packages[name]?.dev === true;
  return !deployable.test(inProject(source));
};

/** Returns the sources that a deployed function must not contain: development, test and local code. */
export const foreignSources = (sources: readonly string[]): string[] => [
  ...new Set(sources.filter(isForeign).map((source) => packageOf(source) ?? inProject(source))),
];

/** Reads the sources of the bundles in a folder, the Markdown worker’s too, from their source maps. */
export const sourcesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.js.map'))
    .flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).sources as string[]);
