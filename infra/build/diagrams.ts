import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { listChunks, scriptOptions } from './browser.ts';
import { listPackages } from './package-licences.ts';

const root = join(import.meta.dirname, '../..');

/** Returns the only file of a pattern. @throws Error if there is none or several: the package has changed */
const findOne = (pattern: string): string => {
  const [path, ...others] = globSync(pattern, { cwd: root });
  if (path === undefined || others.length > 0) throw new Error(`Not one file: ${pattern}`);
  return join(root, path);
};

const mermaid = findOne('node_modules/mermaid/dist/mermaid.core.mjs');
const parser = findOne('node_modules/@mermaid-js/parser/dist/mermaid-parser.core.mjs');

/** Lays diagrams out by dagre where ELK is asked for: elkjs has another licence (EPL-2.0) and is larger than all the rest of a flowchart. */
const withoutElk: Plugin = {
  name: 'without ELK',
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/elk-\w+\.mjs$/ }, () => ({
      path: findOne('node_modules/mermaid/dist/chunks/mermaid.core/dagre-*.mjs'),
    }));
  },
};

/**
 * Makes each part that loads later import all of Mermaid that loads first. esbuild makes a chunk for every set of parts that
 * share code: so a diagram loads a few files instead of dozens.
 */
const fewChunks: Plugin = {
  name: 'few chunks',
  setup: ({ onResolve, onLoad, resolve }) => {
    const first = new Map<string, readonly string[]>();
    onResolve({ filter: /./ }, async ({ path, kind, pluginData, ...rest }) => {
      if (kind !== 'dynamic-import' || pluginData === fewChunks) return;
      const resolved = await resolve(path, { kind, pluginData: fewChunks, ...rest });
      const isOfParser = rest.importer.includes('@mermaid-js');
      first.set(resolved.path, isOfParser ? [mermaid, parser] : [mermaid]);
      return resolved;
    });
    onLoad({ filter: /\.m?js$/ }, async ({ path }) => {
      const imported = first.get(path);
      if (!imported) return;
      const text = await readFile(path, 'utf8');
      return {
        contents: `${imported.map((one) => `import ${JSON.stringify(one)};`).join('')}${text}`,
        loader: 'js',
      };
    });
  },
};

/**
 * Bundles the script of the frame that draws diagrams, with Mermaid in the parts that kinds of diagrams need. Each is named by
 * a hash of its content. `manifest` is the JSON of the first script's name and of those that it imports when it loads, for
 * the frame; `scripts` that of their texts by name, for the function that serves them; `packages` are the folders of the
 * packages within.
 */
export const buildDiagramScripts = async (): Promise<{
  manifest: string;
  scripts: string;
  packages: readonly string[];
}> => {
  const { outputFiles, metafile } = await build({
    ...scriptOptions,
    entryPoints: { diagram: 'functions/web/snippet/browser/diagram/diagram.ts' },
    outdir: 'diagram',
    entryNames: '[name].[hash]',
    chunkNames: '[name].[hash]',
    conditions: [],
    plugins: [withoutElk, fewChunks],
  });
  const entry = Object.keys(metafile.outputs).find((path) => path.startsWith('diagram/diagram.'));
  if (entry === undefined) throw new Error('No script of the diagram frame');
  const texts = outputFiles.map(({ path, text }) => [basename(path), text] as const);
  return {
    manifest: JSON.stringify({
      entry: basename(entry),
      chunks: listChunks(metafile, entry),
    }),
    scripts: JSON.stringify(Object.fromEntries(texts.toSorted(([a], [b]) => (a < b ? -1 : 1)))),
    packages: listPackages(metafile),
  };
};
