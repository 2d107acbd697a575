import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
};

/** The name that the lock file has for the package of a source, such as `node_modules/zod`. */
const packageOf = (source: string): string | undefined =>
  source.match(/node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/)?.[0];

/** A source's path in the project. */
const inProject = (source: string): string =>
  source.replace(/^(?:.*\/)?(?=(?:functions|shared|infra|tests)\/)/, '');

/** What is in each function, beside the group's own: shared code, and what stands in for parts of packages. */
const deployable = /^(functions|shared|infra\/functions\/stand-ins)\//;

const isForeign = (source: string): boolean => {
  const name = packageOf(source);
  if (name !== undefined) return packages[name]?.dev === true;
  return !deployable.test(inProject(source));
};

/** Of these sources, those that a deployed function must not have: of development, of the tests, of the local run. */
export const foreignSources = (sources: readonly string[]): string[] => [
  ...new Set(sources.filter(isForeign).map((source) => packageOf(source) ?? inProject(source))),
];

/** The sources of the bundles in a folder, by their source maps. */
export const sourcesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.js.map'))
    .flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).sources as string[]);

/** The sources of the Markdown worker, which has no source map. */
export const sourcesOfWorker = async (): Promise<string[]> => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['shared/markdown/worker.ts'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  return Object.keys(metafile.inputs);
};
