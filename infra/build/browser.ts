import { globSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');

/** The folder in which each kind of asset is served. */
const folders: Readonly<Record<string, string>> = { '.js': 'scripts', '.css': 'styles' };

/**
 * Finds the assets: every file directly in a page's `browser` folder, and two styles of all pages. They import all
 * others.
 */
const findSources = (): Record<string, string> => {
  const sources: Record<string, string> = {};
  const patterns = [
    'functions/web/*/**/browser/*.{js,css}',
    'functions/web/browser/{base,prose}.css',
  ];
  for (const path of globSync(patterns, { cwd: root }).sort()) {
    const extension = extname(path);
    const name = `${folders[extension]}/${basename(path, extension)}`;
    if (sources[name]) throw new Error(`${path} and ${sources[name]} have the same name`);
    sources[name] = path;
  }
  return sources;
};

const json = (entries: readonly (readonly [string, string])[]): string =>
  `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;

/**
 * Bundles the styles and scripts of all pages; each becomes one minified file, named by a hash of its content.
 * `manifest`
 * is the JSON of their paths by name, for the pages; `files` that of their texts by path, for the function that serves
 * them.
 */
export const buildAssets = async (): Promise<{ manifest: string; files: string }> => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: findSources(),
    entryNames: '[dir]/[name].[hash]',
    outdir: 'assets',
    bundle: true,
    format: 'esm',
    platform: 'browser',
    // Workers have no document, which the packages' variants for browsers may use.
    conditions: ['worker'],
    target: ['es2022', 'chrome111', 'firefox113', 'safari16.4'],
    minify: true,
    charset: 'utf8',
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const paths = Object.entries(metafile.outputs).map(
    ([output, { entryPoint = output }]) => [basename(entryPoint), `/${output}`] as const,
  );
  const texts = outputFiles.map(
    ({ path, text }) => [path.slice(root.length).replaceAll('\\', '/'), text] as const,
  );
  return { manifest: json(paths), files: json(texts) };
};
