import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type BuildOptions, buildSync, type Metafile, transformSync } from 'esbuild';
import { hosts, listGroups } from '../../functions/routes.ts';
import type { Host } from '../../shared/http/host.ts';
import type { FunctionConfig, FunctionName } from './function-config.ts';

const projectRoot = join(import.meta.dirname, '../..');

const ownUrl = 'import.meta.url';

const standIn = (file: string): string => join(projectRoot, 'infra/functions/stand-ins', file);

const options = {
  absWorkingDir: projectRoot,
  bundle: true,
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  minify: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/**
 * What is bundled by itself, as whoever imports it names it, and the part that it becomes. The client of S3 needs much of
 * the SDK that the table's does not: shared between the two, all of it would be loaded with the table's.
 */
const apart = { source: 'shared/storage/s3.ts', imported: './s3.ts', part: 's3' } as const;

/** The parts that the first imports, and those that they import, at once or later; esbuild writes others, too. */
const listParts = ({ outputs }: Metafile, first: string): Set<string> => {
  const parts = new Set(Object.keys(outputs).filter((path) => basename(path) === `${first}.js`));
  for (const part of parts) {
    for (const { path } of outputs[part]?.imports ?? []) if (path in outputs) parts.add(path);
  }
  return new Set([...parts].map((path) => basename(path)));
};

/** Makes CommonJS of ESM that is bundled; its source map says what the ESM was made of. */
const toCommonJs = (esm: string) =>
  transformSync(esm, {
    format: 'cjs',
    platform: options.platform,
    target: options.target,
    // By `require`: Node's loader of ESM reads each part once more, for what it exports.
    supported: { 'dynamic-import': false },
    minify: true,
    // The directive counts in the first place only; and there is no import.meta.
    banner: `"use strict";${esm.includes(ownUrl) ? 'const bundleUrl=require("node:url").pathToFileURL(__filename).href;' : ''}`,
    define: { [ownUrl]: 'bundleUrl' },
    // What the source map names for the few lines that esbuild adds itself.
    sourcefile: 'infra/functions/stand-ins/added.js',
    // Beside the bundle for whoever reads a stack trace; the function doesn't spend time on it.
    sourcemap: 'external',
    sourcesContent: false,
  });

/** Bundles an entry into a folder, by the name of its first part; answers whether it imports what is bundled by itself. */
const buildParts = (
  entry: string,
  first: string,
  outdir: string,
  standIns: BuildOptions['alias'] = {},
): boolean => {
  const { outputFiles, metafile } = buildSync({
    ...options,
    entryPoints: { [first]: entry },
    // The same wherever it is written in the end, for the source maps lead from there.
    outdir: 'cdk.out',
    format: 'esm',
    splitting: true,
    alias: {
      '@aws-sdk/credential-provider-node': standIn('lambda-credentials.ts'),
      '@smithy/core/event-streams': standIn('no-event-streams.ts'),
      ...standIns,
    },
    // Beside what is bundled by itself, colours for a terminal, which a package asks for if they are there.
    external: [apart.imported, 'supports-color'],
    sourcemap: 'inline',
    sourcesContent: false,
    metafile: true,
    write: false,
  });
  const parts = listParts(metafile, first);
  mkdirSync(outdir, { recursive: true });
  for (const { path, text } of outputFiles) {
    const name = basename(path);
    if (!parts.has(name)) continue;
    const { code, map } = toCommonJs(
      text.replaceAll(`"${apart.imported}"`, `"./${apart.part}.js"`),
    );
    writeFileSync(join(outdir, name), code);
    writeFileSync(join(outdir, `${name}.map`), map);
  }
  return Object.entries(metafile.outputs).some(
    ([path, { imports }]) =>
      parts.has(basename(path)) &&
      imports.some(({ path: imported }) => imported === apart.imported),
  );
};

/**
 * Bundles an entry into a folder: `index.js`, and parts beside it that hold what is imported only when it is needed.
 * What isn't loaded isn't parsed either, and to parse a bundle is a third of its start. CommonJS made from the packages'
 * ESM sources, SDK included, starts fastest; but as only ESM can be split, each part is made into CommonJS after that.
 * Modules may stand in for packages, by their names.
 */
export const buildBundle = (
  entry: string,
  outdir: string,
  standIns?: BuildOptions['alias'],
): void => {
  const needsOther = buildParts(entry, 'index', outdir, standIns);
  if (needsOther) buildParts(join(projectRoot, apart.source), apart.part, outdir);
};

/**
 * The worker is a file of its own beside the bundle, where shared/markdown/markdown.ts looks for it. Without the
 * extras it has no highlighter.
 */
const buildMarkdownWorker = (outdir: string, kind: 'plain' | 'with-extras'): void => {
  buildSync({
    ...options,
    entryPoints: ['shared/markdown/worker.ts'],
    outfile: join(outdir, 'markdown-worker.js'),
    format: 'cjs',
    external: kind === 'plain' ? ['*/extras.ts'] : [],
  });
};

const groups = (Object.keys(hosts) as Host[]).flatMap(listGroups);

const getFolder = (purpose: FunctionName | 'fallback'): string => {
  if (purpose === 'fallback') return 'web/fallback';
  return groups.find(({ name }) => name === purpose)?.folder ?? purpose;
};

/** Writes into a folder what is uploaded for a function: its bundle, and what lies beside that. */
export const buildFunction = (
  purpose: FunctionName | 'fallback',
  { markdownWorker, files = {} }: FunctionConfig,
  outdir: string,
): void => {
  buildBundle(join(projectRoot, 'functions', getFolder(purpose), 'index.ts'), outdir);
  if (markdownWorker) buildMarkdownWorker(outdir, markdownWorker);
  for (const [name, path] of Object.entries(files)) {
    copyFileSync(join(projectRoot, path), join(outdir, name));
  }
};

/** A function's code, built where the stack is synthesised. */
export const bundleFunction = (purpose: FunctionName | 'fallback', needs: FunctionConfig): Code =>
  Code.fromAsset(join(projectRoot, 'functions', getFolder(purpose)), {
    // By what comes out, since what goes in is more than the folder.
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry('never-used'),
      local: {
        tryBundle: (outdir) => {
          buildFunction(purpose, needs, outdir);
          return true;
        },
      },
    },
  });
