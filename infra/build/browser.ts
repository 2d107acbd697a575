import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { browsers, generatedFiles } from './browser-plugins.ts';
import { listFolders, listPackages } from './package-licences.ts';
import { bundleScripts } from './scripts.ts';

const root = join(import.meta.dirname, '../..');

type Sources = Readonly<Record<string, string>>;

/** Finds sources by name. @throws Error if two have one name, by which pages find them */
const findSources = (patterns: readonly string[]): Sources => {
  const sources: Record<string, string> = {};
  for (const path of globSync(patterns, { cwd: root }).sort()) {
    if (basename(path) === 'texts.ts' || path.endsWith('.d.ts')) continue;
    const name = basename(path, extname(path));
    if (sources[name]) throw new Error(`${path} and ${sources[name]} have the same name`);
    sources[name] = path.replaceAll('\\', '/');
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
  plugins: [generatedFiles],
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
 * The address of the page is left to be filled in. `preview` is that of the preview, for pages with files.
 */
export const buildFrameScripts = async (): Promise<{ scripts: string; packages: string[] }> => {
  const iife = { ...scriptOptions, splitting: false, format: 'iife' } as const;
  const buildFrame = (isActive: boolean) =>
    build({
      ...iife,
      entryPoints: { frame: 'functions/web/snippet/browser/frame/frame.ts' },
      define: {
        pageOrigin: '"{pageOrigin}"',
        pagePath: '"{pagePath}"',
        isActive: String(isActive),
      },
    });
  const [active, inert, preview] = await Promise.all([
    buildFrame(true),
    buildFrame(false),
    build({
      ...iife,
      globalName: 'preview',
      entryPoints: { preview: 'functions/web/snippet/browser/preview/preview.ts' },
    }),
  ]);
  const toText = ({ outputFiles }: Pick<typeof active, 'outputFiles'>) =>
    outputFiles[0]?.text.trim();
  return {
    scripts: JSON.stringify({
      active: toText(active),
      inert: toText(inert),
      preview: toText(preview),
    }),
    packages: [active, inert, preview].flatMap(({ metafile }) => listPackages(metafile)),
  };
};

/** Returns the file names of all scripts that an output imports when it loads. */
export const listChunks = ({ outputs }: Metafile, output: string): string[] => {
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

/** Files by path, as text; fonts and images in base64. */
type Files = Readonly<Record<string, string>>;

/** What pages name and the files that serve it. */
interface Assets {
  /** Paths by name, such as `users.css`. */
  readonly paths: Readonly<Record<string, string>>;
  readonly files: Files;
  /** The folders of the packages within. */
  readonly packages: readonly string[];
}

const json = (entries: Files): string => {
  const sorted = Object.entries(entries).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`;
};

/** Styles that are within their pages, because these ask for six files without them. */
const inlineStyles: readonly string[] = ['composer', 'document'];

/** Bundles the styles that are within their pages. */
export const buildInlineStyles = async (): Promise<string> => {
  const sources = findSources(inlineStyles.map((name) => `functions/web/*/**/browser/${name}.css`));
  const { outputFiles } = await build({
    ...scriptOptions,
    entryNames: '[name]',
    entryPoints: sources,
  });
  return json(
    Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text.trim()])),
  );
};

/** Bundles every other style directly in a page’s `browser` folder and that of all pages, and makes their font. */
const buildStyles = async (): Promise<Assets> => {
  const found = findSources([
    'functions/web/*/**/browser/*.css',
    'functions/web/browser/styles/ui.css',
  ]);
  const sources = Object.fromEntries(
    Object.entries(found).filter(([name]) => !inlineStyles.includes(name)),
  );
  const entryPoints = Object.fromEntries(
    Object.entries(sources).map(([name, path]) => [`styles/${name}`, path]),
  );
  const { outputFiles, metafile } = await build({ ...scriptOptions, entryPoints });
  const nameOf = (path: string): string => basename(path).replace(/\.\w+(?=\.\w+$)/, '');
  return {
    paths: Object.fromEntries(
      Object.keys(metafile.outputs).map((path) => [nameOf(path), `/${path}`]),
    ),
    files: Object.fromEntries(
      outputFiles.map(({ path, text, contents }) => [
        path.slice(root.length).replaceAll('\\', '/'),
        path.endsWith('.woff2') ? Buffer.from(contents).toString('base64') : text,
      ]),
    ),
    packages: listPackages(metafile),
  };
};

/** Bundles every script directly in a page’s `browser` folder and that of all pages. */
const buildScripts = async (): Promise<Assets> => {
  const sources = findSources([
    'functions/web/*/**/browser/*.{js,ts,tsx}',
    'functions/web/browser/shell/shell.tsx',
  ]);
  const scripts = await bundleScripts(sources);
  const pathOf = (file: string): string => `/assets/scripts/${file}`;
  return {
    paths: Object.fromEntries(
      scripts
        .filter(({ name }) => name in sources)
        .map(({ name, file }) => [`${name}.js`, pathOf(file)]),
    ),
    files: Object.fromEntries(scripts.map(({ file, text }) => [pathOf(file), text])),
    packages: listFolders(
      scripts.flatMap(({ modules }) => modules.map((path) => path.slice(root.length + 1))),
    ),
  };
};

/** The images of pages, by name. */
const images = { 'card.png': 'functions/web/pictures/card.png' } as const;

/** Names each image by a hash of its content. */
const buildImages = (): Assets => {
  const built = Object.entries(images).map(([name, source]) => {
    const bytes = readFileSync(join(root, source));
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
    const path = `/assets/images/${name.replace('.', `.${hash}.`)}`;
    return { name, path, content: bytes.toString('base64') };
  });
  return {
    paths: Object.fromEntries(built.map(({ name, path }) => [name, path])),
    files: Object.fromEntries(built.map(({ path, content }) => [path, content])),
    packages: [],
  };
};

/**
 * Bundles the styles and scripts of all pages and makes their font; each text is minified, and each file named by a hash of its
 * content. `manifest` is the JSON of the paths that pages name, by name; `files` that of all files’ texts by path, for the
 * function that serves them. Fonts and images are in base64. `packages` are the folders of the packages within.
 * @throws Error if two files have one name
 */
export const buildAssets = async (): Promise<{
  manifest: string;
  files: string;
  packages: readonly string[];
}> => {
  const built = [...(await Promise.all([buildStyles(), buildScripts()])), buildImages()];
  const merge = (part: 'paths' | 'files'): string =>
    json(Object.assign({}, ...built.map((assets) => assets[part])));
  const packages = built.flatMap((assets) => assets.packages);
  return { manifest: merge('paths'), files: merge('files'), packages };
};
