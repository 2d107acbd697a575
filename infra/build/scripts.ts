import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import {
  type InputOptions,
  type ModuleInfo,
  type OutputChunk,
  type Plugin,
  rolldown,
} from 'rolldown';
import { browsers, minifyStyle } from './browser-plugins.ts';

const root = join(import.meta.dirname, '../..');

/** Parts that load later and are a file each, because they are large and not every text or browser needs them. */
const ownFiles =
  /\/(code-editor|diagrams|highlight|mathml|plot|qr-dialog|sanitize-html|shortcodes|to-markdown|to-table)\.ts$/;

/** Parts that load later, are a file each, and have what their script loads first in common with it. */
const ownParts = /\/share-files\.tsx$/;

const options = {
  cwd: root,
  platform: 'browser',
  // Workers have no document, which the packages’ variants for browsers may use.
  resolve: { conditionNames: ['worker', 'browser', 'import', 'module', 'default'] },
  transform: { target: [...browsers], jsx: { runtime: 'automatic', importSource: 'preact' } },
  tsconfig: false,
  // A script is loaded for what it does.
  preserveEntrySignatures: false,
  checks: { pluginTimings: false },
} satisfies InputOptions;

/** Provides the minified text of a style sheet, such as `./hits.css?text`, which parts that load later bring along. */
const styleTexts: Plugin = {
  name: 'style texts',
  resolveId: (source, importer) =>
    importer && source.endsWith('.css?text') ? join(dirname(importer), source) : undefined,
  async load(id) {
    const [path = '', isText] = id.split('.css?text');
    if (isText === undefined) return undefined;
    const text = await minifyStyle(`${path}.css`);
    return { code: `export default ${JSON.stringify(text)}`, moduleType: 'js' };
  },
};

/** The names of scripts by the paths of their sources. */
type Starts = ReadonlyMap<string, string>;

/** What modules import, by their paths. */
type Graph = ReadonlyMap<
  string,
  Pick<ModuleInfo, 'importedIds' | 'dynamicallyImportedIds' | 'exports'>
>;

/** Reads which modules these import, and those in turn. */
const scan = async (paths: Iterable<string>): Promise<Graph> => {
  const graph = new Map<string, ModuleInfo>();
  const noteModule: Plugin = {
    name: 'graph',
    moduleParsed: (module) => void graph.set(module.id, module),
  };
  const built = await rolldown({
    ...options,
    input: [...paths],
    plugins: [styleTexts, noteModule],
  });
  await built.generate({ format: 'es' });
  await built.close();
  return graph;
};

/** Returns modules and all that they import as they load. */
const listInitial = (graph: Graph, starts: Iterable<string>): ReadonlySet<string> => {
  const found = new Set(starts);
  for (const id of found) for (const one of graph.get(id)?.importedIds ?? []) found.add(one);
  return found;
};

/**
 * Returns the parts that a script loads later, and those in turn, except the shell’s.
 * @throws Error if two export the same name
 */
const listLater = (graph: Graph, start: string, shell: ReadonlySet<string>): readonly string[] => {
  const found = new Set([start]);
  const later = new Set<string>();
  for (const id of found) {
    if (shell.has(id) && !shell.has(start)) continue;
    const { importedIds = [], dynamicallyImportedIds = [] } = graph.get(id) ?? {};
    const parts = dynamicallyImportedIds.filter(
      (one) => !ownFiles.test(one) && !ownParts.test(one),
    );
    for (const one of parts) later.add(one);
    for (const one of [...importedIds, ...parts]) found.add(one);
  }
  const names = [...later].flatMap((id) => graph.get(id)?.exports ?? []);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) throw new Error(`Two parts that load later export ${twice}`);
  return [...later];
};

const separator = '?part=';

const moduleTypes = { '.ts': 'ts', '.tsx': 'tsx', '.json': 'json' } as const;

const lateSuffix = '-late';

/** Stands between a script and its own part. */
const ownSign = '+';

/**
 * Gives each script modules of its own, except those of the shell, by a mark in their ids: what several pages use and the
 * shell hasn’t is in each page’s script, instead of in a file for each set of pages. All parts that a script loads later are
 * one module, except its own parts, which have modules of their own, too.
 */
const modulesOfEach = (
  starts: Starts,
  shell: ReadonlySet<string>,
  initial: ReadonlyMap<string, ReadonlySet<string>>,
  graph: Graph,
): Plugin => ({
  name: 'modules of each script',
  resolveId: {
    order: 'pre',
    async handler(source, importer, { kind }) {
      const [from, part = 'shell'] = importer?.split(separator) ?? [];
      const resolved = await this.resolve(source, from, { kind, skipSelf: true });
      if (!resolved || shell.has(resolved.id)) return resolved;
      const marked = (name: string | undefined) => ({
        ...resolved,
        id: `${resolved.id}${separator}${name}`,
      });
      if (from === undefined) return marked(starts.get(resolved.id));
      const [script = part, own] = part.split(ownSign);
      if (ownParts.test(resolved.id)) {
        return marked(`${script}${ownSign}${basename(resolved.id, '.tsx')}`);
      }
      if (kind !== 'dynamic-import') {
        return marked(own !== undefined && initial.get(script)?.has(resolved.id) ? script : part);
      }
      return ownFiles.test(resolved.id)
        ? marked(basename(resolved.id, '.ts'))
        : `${script}${lateSuffix}${separator}${script}`;
    },
  },
  async load(id) {
    const [path = '', part] = id.split(separator);
    const [start] = [...starts].find(([, name]) => `${name}${lateSuffix}` === path) ?? [];
    if (start !== undefined) {
      const parts = listLater(graph, start, shell);
      return parts.map((one) => `export * from ${JSON.stringify(one)};`).join('\n');
    }
    if (part === undefined || path.includes('?')) return undefined;
    const moduleType = moduleTypes[extname(path) as keyof typeof moduleTypes] ?? 'js';
    return { code: await readFile(path, 'utf8'), moduleType };
  },
});

/**
 * Bundles each script into one file, and all that it loads later into a second one, such as `users` and `users-late`. Both
 * import what the script named `shell` has from its file.
 * @throws Error if what a script loads is more than these
 */
const bundle = async (starts: Starts): Promise<OutputChunk[]> => {
  const graph = await scan(starts.keys());
  const [shellPath] = [...starts].find(([, name]) => name === 'shell') ?? [];
  const shell = shellPath === undefined ? new Set<string>() : listInitial(graph, [shellPath]);
  const initial = new Map(
    [...starts].map(([path, name]) => [name, listInitial(graph, [path])] as const),
  );
  const built = await rolldown({
    ...options,
    input: Object.fromEntries([...starts].map(([path, name]) => [name, path])),
    plugins: [modulesOfEach(starts, shell, initial, graph), styleTexts],
  });
  const { output } = await built.generate({
    dir: 'assets/scripts',
    format: 'es',
    minify: true,
    comments: { legal: true, annotation: false, jsdoc: false },
    entryFileNames: '[name].[hash].js',
    chunkFileNames: ({ name, facadeModuleId }) =>
      `${basename(facadeModuleId?.split(separator)[0] ?? name).replace(/\.tsx?$/, '')}.[hash].js`,
    hashCharacters: 'base36',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        {
          debugName: 'what loads first',
          name: (id) => {
            const [path = '', part] = id.split(separator);
            if (shell.has(path) && part === undefined) return 'shell';
            return part !== undefined && initial.get(part)?.has(path) ? part : null;
          },
        },
      ],
    },
  });
  await built.close();
  return output.filter((file) => file.type === 'chunk');
};

/** A script that a page or another script loads. */
export interface Script {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  /** The modules within, as paths of files. */
  readonly modules: readonly string[];
}

const toScript = ({ name, fileName, code, modules }: OutputChunk): Script => ({
  name,
  file: fileName,
  text: code,
  modules: Object.entries(modules)
    .filter(([, { renderedLength }]) => renderedLength > 0)
    .map(([id]) => (id.split(separator)[0] ?? '').replace('?text', '')),
});

/**
 * Bundles scripts for browsers, given by the paths of their sources by name. Those in Preact (`.tsx`) take what the shell has
 * from its script; each other one stands alone on its pages.
 */
export const bundleScripts = async (
  sources: Readonly<Record<string, string>>,
): Promise<readonly Script[]> => {
  const starts = Object.entries(sources).map(([name, path]) => [join(root, path), name] as const);
  const inPreact = starts.filter(([path]) => path.endsWith('.tsx'));
  const alone = starts.filter((start) => !inPreact.includes(start));
  const bundles = await Promise.all(
    [inPreact, ...alone.map((start) => [start])].map((some) => bundle(new Map(some))),
  );
  return bundles.flat().map(toScript);
};
