import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type BuildOptions, buildSync, type Metafile, transformSync } from 'esbuild';
import { hosts, listGroups } from '../../functions/routes.ts';
import type { Host } from '../../shared/http/host.ts';
import type { FunctionConfig, FunctionName, OtherFunction } from './config/function-config.ts';

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
 * The modules that are bundled separately, by the specifier of their imports. The S3 client needs more of the SDK than the
 * table's client; with shared parts, all of it would be loaded with the table's client. Powertools is required where it is
 * first used.
 */
const separateModules = {
  './s3.ts': { source: 'shared/storage/s3.ts', part: 's3' },
  './powertools.ts': { source: 'shared/runtime/powertools.ts', part: 'powertools' },
} as const;

type SeparateModule = (typeof separateModules)[keyof typeof separateModules];

/** Lists the parts that the first one imports, directly or indirectly. esbuild also writes unused parts. */
const listParts = ({ outputs }: Metafile, first: string): Set<string> => {
  const parts = new Set(Object.keys(outputs).filter((path) => basename(path) === `${first}.js`));
  for (const part of parts) {
    for (const { path } of outputs[part]?.imports ?? []) if (path in outputs) parts.add(path);
  }
  return new Set([...parts].map((path) => basename(path)));
};

/** Converts bundled ESM to CommonJS, with a source map to the original sources. */
const toCommonJs = (esm: string) =>
  transformSync(esm, {
    format: 'cjs',
    platform: options.platform,
    target: options.target,
    // Uses `require`, because Node's ESM loader would read each part twice to find its exports.
    supported: { 'dynamic-import': false },
    minify: true,
    // The directive must come first. CommonJS has no import.meta.
    banner: `"use strict";${esm.includes(ownUrl) ? 'const bundleUrl=require("node:url").pathToFileURL(__filename).href;' : ''}`,
    define: { [ownUrl]: 'bundleUrl' },
    // The source of the lines that esbuild adds.
    sourcefile: 'infra/functions/stand-ins/added.js',
    // For reading stack traces; the function doesn't load it.
    sourcemap: 'external',
    sourcesContent: false,
  });

/** The files of a bundle by name, and the separate modules that it imports. */
interface Parts {
  readonly files: ReadonlyMap<string, string>;
  readonly imported: ReadonlySet<SeparateModule>;
}

/** Bundles an entry. */
const buildParts = (
  entry: string,
  first: string,
  { standIns, external = [] }: { standIns?: BuildOptions['alias']; external?: string[] } = {},
): Parts => {
  const { outputFiles, metafile } = buildSync({
    ...options,
    entryPoints: { [first]: entry },
    // Independent of the target folder, because source maps contain relative paths.
    outdir: 'cdk.out',
    format: 'esm',
    splitting: true,
    alias: {
      '@aws-sdk/credential-provider-node': standIn('lambda-credentials.ts'),
      '@aws-sdk/middleware-endpoint-discovery': standIn('no-endpoint-discovery.ts'),
      '@peculiar/x509': standIn('no-certificates.ts'),
      '@smithy/core/config': standIn('lambda-config.ts'),
      '@smithy/core/event-streams': standIn('no-event-streams.ts'),
      // What only certificates need.
      'reflect-metadata': standIn('no-metadata.ts'),
      // The stand-in itself imports parts of the package, and validation its error.
      'zod/mini': 'zod/mini',
      'zod/locales': 'zod/locales',
      'zod/v4/core': 'zod/v4/core',
      zod: standIn('deferred-zod.ts'),
      ...standIns,
    },
    // supports-color is an optional dependency for terminal colors.
    external: [...Object.keys(separateModules), 'supports-color', ...external],
    sourcemap: 'inline',
    sourcesContent: false,
    metafile: true,
    write: false,
  });
  const parts = listParts(metafile, first);
  const imported = new Set<SeparateModule>();
  const files = new Map<string, string>();
  for (const { path, text } of outputFiles) {
    const name = basename(path);
    if (!parts.has(name)) continue;
    let esm = text;
    for (const [specifier, module] of Object.entries(separateModules)) {
      if (esm.includes(`"${specifier}"`)) imported.add(module);
      esm = esm.replaceAll(`"${specifier}"`, `"./${module.part}.js"`);
    }
    const { code, map } = toCommonJs(esm);
    files.set(name, code).set(`${name}.map`, map);
  }
  return { files, imported };
};

const writeParts = ({ files }: Parts, outdir: string): void => {
  mkdirSync(outdir, { recursive: true });
  for (const [name, content] of files) writeFileSync(join(outdir, name), content);
};

/** The separate modules that this process has bundled, which are the same in each function. */
const separateParts = new Map<SeparateModule, Parts>();

const buildSeparate = (module: SeparateModule): Parts => {
  const { source, part } = module;
  const parts = separateParts.get(module) ?? buildParts(join(projectRoot, source), part);
  separateParts.set(module, parts);
  return parts;
};

/** Writes parts, and the separate modules that they import. */
const writeAllParts = (parts: Parts, outdir: string): void => {
  writeParts(parts, outdir);
  // A set may grow while it is read.
  const separate = new Set(parts.imported);
  for (const module of separate) {
    const its = buildSeparate(module);
    writeParts(its, outdir);
    for (const other of its.imported) separate.add(other);
  }
};

/**
 * Bundles an entry into a folder: `bundle.js`, and a part for each dynamic import. Parsing takes a third of a cold start,
 * and parts are parsed only when loaded. CommonJS from the packages' ESM sources, SDK included, starts fastest; esbuild
 * splits only ESM, so each part is converted afterwards. `standIns` replaces packages by modules.
 */
export const buildBundle = (
  entry: string,
  outdir: string,
  standIns?: BuildOptions['alias'],
): void => {
  writeAllParts(buildParts(entry, 'bundle', standIns && { standIns }), outdir);
};

const groups = (Object.keys(hosts) as Host[]).flatMap(listGroups);

const getFolder = (functionName: FunctionName | OtherFunction): string => {
  if (functionName === 'fallback') return 'web/fallback';
  if (functionName === 'asset-store') return 'web/assets/store';
  return groups.find(({ name }) => name === functionName)?.folder ?? functionName;
};

/** The fallback's own parts, which are the same in each function. */
let fallbackParts: Parts | undefined;

/** Builds what answers the requests of a group that are none of its routes, next to the bundle. */
const buildFallback = (outdir: string): void => {
  const entry = join(projectRoot, 'functions', getFolder('fallback'), 'index.ts');
  fallbackParts ??= buildParts(entry, 'fallback');
  writeAllParts(fallbackParts, outdir);
};

/** Builds the worker next to the bundle, where shared/markdown/markdown.ts expects it. `plain` makes no pages. */
const buildMarkdownWorker = (outdir: string, kind: 'plain' | 'with-pages'): void => {
  const worker = join(projectRoot, 'shared/markdown/worker.ts');
  const external = kind === 'plain' ? ['./page/to-page.ts'] : [];
  writeParts(buildParts(worker, 'markdown-worker', { external }), outdir);
};

/** Writes a function's entry, `index.mjs`, its bundle, fallback, worker and files into a folder. */
export const buildFunction = (
  name: FunctionName | OtherFunction,
  { markdownWorker, files = {} }: FunctionConfig,
  outdir: string,
): void => {
  buildBundle(join(projectRoot, 'functions', getFolder(name), 'index.ts'), outdir);
  copyFileSync(join(import.meta.dirname, 'function-entry.mjs'), join(outdir, 'index.mjs'));
  if (groups.some((group) => group.name === name)) buildFallback(outdir);
  if (markdownWorker) buildMarkdownWorker(outdir, markdownWorker);
  for (const [file, path] of Object.entries(files)) {
    copyFileSync(join(projectRoot, path), join(outdir, file));
  }
};

/** Creates a function's code, built when the stack is synthesized. */
export const bundleFunction = (name: FunctionName | OtherFunction, config: FunctionConfig): Code =>
  Code.fromAsset(join(projectRoot, 'functions', getFolder(name)), {
    // The output depends on more than the folder.
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry('never-used'),
      local: {
        tryBundle: (outdir) => {
          buildFunction(name, config, outdir);
          return true;
        },
      },
    },
  });
