import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { type BuildOptions, type BuildResult, build } from 'esbuild';
import { browsers, commonCode, generatedFiles, styleTexts } from './browser-plugins.ts';
import { readFontLicence } from './font.ts';

const root = join(import.meta.dirname, '../..');

/** The extension and the folder of what each kind of source becomes. */
const kinds: Readonly<Record<string, readonly [extension: string, folder: string]>> = {
  '.js': ['.js', 'scripts'],
  '.ts': ['.js', 'scripts'],
  '.tsx': ['.js', 'scripts'],
  '.css': ['.css', 'styles'],
};

type Sources = Readonly<Record<string, string>>;

/**
 * Finds the entries: every file directly in a page's `browser` folder, and the styles and the script of all pages. They
 * import all others.
 */
const findSources = (): Sources => {
  const sources: Record<string, string> = {};
  const patterns = [
    'functions/web/*/**/browser/*.{js,ts,tsx,css}',
    'functions/web/browser/{authors-html,prose,styles/ui}.css',
    'functions/web/browser/shell/shell.tsx',
  ];
  for (const path of globSync(patterns, { cwd: root }).sort()) {
    if (basename(path) === 'texts.ts' || path.endsWith('.d.ts')) continue;
    const name = `${kinds[extname(path)]?.[1]}/${basename(path, extname(path))}`;
    if (sources[name]) throw new Error(`${path} and ${sources[name]} have the same name`);
    sources[name] = path;
  }
  return sources;
};

/** How scripts are bundled for browsers. */
export const scriptOptions = {
  absWorkingDir: root,
  entryNames: '[dir]/[name].[hash]',
  chunkNames: 'scripts/[name].[hash]',
  assetNames: 'fonts/[name].[hash]',
  outdir: 'assets',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  plugins: [generatedFiles, styleTexts, commonCode],
  // Workers have no document, which the packages' variants for browsers may use.
  conditions: ['worker'],
  target: [...browsers],
  minify: true,
  charset: 'utf8',
  legalComments: 'inline',
  metafile: true,
  write: false,
  logLevel: 'warning',
} as const satisfies BuildOptions;

type Bundle = BuildResult<typeof scriptOptions>;

/**
 * Bundles together what shares code: the scripts in Preact, and all styles. Other scripts stand alone on their pages,
 * so each carries what it needs.
 */
const bundle = (sources: Sources): Promise<Bundle[]> => {
  const entries = Object.entries(sources);
  const inPreact = entries.filter(([, path]) => path.endsWith('.tsx'));
  const styles = entries.filter(([, path]) => path.endsWith('.css'));
  const others = entries.filter((entry) => !inPreact.includes(entry) && !styles.includes(entry));
  const preact = ['scripts/preact', 'functions/web/browser/preact.ts'] as const;
  return Promise.all(
    [[preact, ...inPreact], styles, ...others.map((entry) => [entry])].map((some) =>
      build({ ...scriptOptions, entryPoints: Object.fromEntries(some) }),
    ),
  );
};

/** Bundles the styles of the files that readers save. Those have their styles within. */
export const buildSavedStyle = async (): Promise<string> => {
  const { outputFiles } = await build({
    ...scriptOptions,
    splitting: false,
    entryPoints: { saved: 'functions/web/share-page/saved.css' },
  });
  return JSON.stringify(outputFiles[0]?.text.trim());
};

/**
 * Bundles the scripts of framed snippets, for documents with scripts or forms and for others. They are within the snippets.
 * The origin of the page is left to be filled in.
 */
export const buildFrameScripts = async (): Promise<string> => {
  const [active, inert] = await Promise.all(
    [true, false].map((isActive) =>
      build({
        ...scriptOptions,
        splitting: false,
        format: 'iife',
        entryPoints: { frame: 'functions/web/snippet/browser/frame/frame.ts' },
        define: { pageOrigin: '"{pageOrigin}"', isActive: String(isActive) },
      }),
    ),
  );
  const toText = (result: typeof active) => result?.outputFiles[0]?.text.trim();
  return JSON.stringify({ active: toText(active), inert: toText(inert) });
};

/** Returns the file names of all scripts that an output imports when it loads. */
export const listChunks = (
  { metafile: { outputs } }: Pick<Bundle, 'metafile'>,
  output: string,
): string[] => {
  const chunks = new Set<string>();
  const add = (from: string): void => {
    for (const { path, kind } of outputs[from]?.imports ?? []) {
      if (kind !== 'import-statement' || chunks.has(path)) continue;
      chunks.add(path);
      add(path);
    }
  };
  add(output);
  return [...chunks].map((path) => basename(path));
};

/** A file that pages name. */
interface Asset {
  readonly path: string;
  /** The file names of all scripts that it imports when it loads. */
  readonly chunks: readonly string[];
}

const listAssets = (bundled: Bundle): (readonly [name: string, Asset])[] =>
  Object.entries(bundled.metafile.outputs).flatMap(([output, { entryPoint, inputs }]) => {
    const source = entryPoint ?? (output.includes('/fonts/') ? Object.keys(inputs)[0] : undefined);
    if (source === undefined) return [];
    const extension = extname(source);
    const name = `${basename(source, extension)}${kinds[extension]?.[0] ?? extension}`;
    return [
      [name.replace(/^.*:/, ''), { path: `/${output}`, chunks: listChunks(bundled, output) }],
    ];
  });

const licenceAsset = (): readonly [path: string, text: string] => {
  const text = readFontLicence();
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase();
  return [`/assets/licences/inter.${hash}.txt`, text];
};

const sorted = (entries: readonly (readonly [string, unknown])[]): object =>
  Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));

const json = (entries: readonly (readonly [string, unknown])[]): string =>
  `${JSON.stringify(sorted(entries), null, 2)}\n`;

/** @throws Error if two files have one name, by which pages find them */
const assertDistinct = (names: readonly string[]): void => {
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) throw new Error(`Two scripts or styles are named ${twice}`);
};

/** Names each chunk once, because most pages import the same ones, and functions with pages parse this as they start. */
const toManifest = (assets: readonly (readonly [name: string, Asset])[]): string => {
  const chunks = [...new Set(assets.flatMap(([, one]) => one.chunks))].sort();
  const numbered = assets.map(
    ([name, one]) =>
      [name, { path: one.path, chunks: one.chunks.map((file) => chunks.indexOf(file)) }] as const,
  );
  return json([
    ['assets', sorted(numbered)],
    ['chunks', chunks],
  ]);
};

/**
 * Bundles the styles and scripts of all pages and makes their font; each file is minified and named by a hash of its
 * content. `manifest` is the JSON of their paths and imports by name, and of the files that these number, for the pages;
 * `files` that of their texts by path, for the function that serves them. Fonts are in base64.
 * @throws Error if two files have one name
 */
export const buildAssets = async (): Promise<{ manifest: string; files: string }> => {
  const bundles = await bundle(findSources());
  const licence = licenceAsset();
  const contents = bundles
    .flatMap(({ outputFiles }) => outputFiles)
    .map(({ path, text, contents: bytes }) => {
      const isFont = path.endsWith('.woff2');
      const content = isFont ? Buffer.from(bytes).toString('base64') : text;
      return [path.slice(root.length).replaceAll('\\', '/'), content] as const;
    });
  const assets = [
    ...bundles.flatMap(listAssets),
    ['inter.txt', { path: licence[0], chunks: [] }] as const,
  ];
  assertDistinct(assets.map(([name]) => name));
  return { manifest: toManifest(assets), files: json([...contents, licence]) };
};
