import { build, type Plugin } from 'esbuild';
import { readFont } from './font.ts';
import { renderIcons, renderPageIcons } from './icons.ts';

/** The oldest browsers that the pages support. */
export const browsers = ['es2022', 'chrome111', 'firefox113', 'safari16.4'] as const;

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

/** Returns the minified text of a style sheet and those that it imports, which a script brings along. */
export const minifyStyle = async (path: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    minify: true,
    charset: 'utf8',
    plugins: [generatedFiles],
    target: [...browsers],
    write: false,
  });
  return outputFiles[0]?.text.trim() ?? '';
};
