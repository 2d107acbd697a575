import files from './built/files.json' with { type: 'json' };

const contents = new Map(Object.entries<string>(files));

const isFont = (path: string): boolean => path.endsWith('.woff2');

/** Returns the text of the asset at a path such as `/assets/styles/base.X.css`, or `undefined`. */
export const findText = (path: string): string | undefined =>
  isFont(path) ? undefined : contents.get(path);

/** Returns the font at a path such as `/assets/fonts/inter.X.woff2`, which is compressed already, or `undefined`. */
export const getFont = (path: string): Buffer | undefined => {
  const base64 = contents.get(path);
  return base64 === undefined || !isFont(path) ? undefined : Buffer.from(base64, 'base64');
};
