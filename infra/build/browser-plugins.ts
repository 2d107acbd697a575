import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Plugin, transform } from 'esbuild';
import { readFont } from './font.ts';
import { renderIcons, renderPageIcons } from './icons.ts';

const root = join(import.meta.dirname, '../..');
/** The oldest browsers that the pages support. */
export const browsers = ['es2022', 'chrome111', 'firefox113', 'safari16.4'] as const;

const common = join(root, 'functions/web/browser/common.ts');

/**
 * Provides to style sheets `generated:icons.css`, with the icons of all pages or those named as in
 * `generated:icons.css?copy,link`; `generated:page-icons.css?pin`, with icons in addition; and `generated:inter.woff2`.
 */
export const generatedFiles: Plugin = {
  name: 'generated files',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^generated:/ }, ({ path }) => ({
      path: path.replace('generated:', ''),
      namespace: 'generated',
    }));
    onLoad({ filter: /^icons\.css/, namespace: 'generated' }, ({ path }) => ({
      contents: renderIcons(path.split('?')[1]?.split(',')),
      loader: 'css',
    }));
    onLoad({ filter: /^page-icons\.css\?/, namespace: 'generated' }, ({ path }) => ({
      contents: renderPageIcons(path.split('?')[1]?.split(',') ?? []),
      loader: 'css',
    }));
    onLoad({ filter: /^inter\.woff2$/, namespace: 'generated' }, async () => ({
      contents: await readFont(),
      loader: 'file',
    }));
  },
};

/** Provides to scripts the minified text of a style sheet, such as `./hits.css?text`, which parts that load later bring along. */
export const styleTexts: Plugin = {
  name: 'style texts',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /\.css\?text$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace('?text', '')),
      namespace: 'style-text',
    }));
    onLoad({ filter: /./, namespace: 'style-text' }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), {
        loader: 'css',
        minify: true,
        target: [...browsers],
      });
      return { contents: code.trim(), loader: 'text' };
    });
  },
};

/**
 * Makes each script in Preact, and each of their parts that loads later, import all common modules. esbuild makes a chunk
 * for every set of entries that share code: so there is one for all, not one for every set of pages.
 */
export const commonCode: Plugin = {
  name: 'common code',
  setup: ({ onResolve, onLoad, resolve }) => {
    const starts = new Set<string>();
    onResolve({ filter: /\.tsx$/ }, async ({ path, kind, pluginData, ...rest }) => {
      if (pluginData === commonCode || (kind !== 'entry-point' && kind !== 'dynamic-import'))
        return;
      const resolved = await resolve(path, { kind, pluginData: commonCode, ...rest });
      starts.add(resolved.path);
      return resolved;
    });
    onLoad({ filter: /\.tsx$/ }, async ({ path }) => {
      if (!starts.has(path)) return;
      const text = await readFile(path, 'utf8');
      return { contents: `import '${common}';${text}`, loader: 'tsx' };
    });
  },
};
