import files from './built/files.json' with { type: 'json' };
import { findFormer } from './former.ts';

const contents = new Map(Object.entries<string>(files));

const isFont = (path: string): boolean => path.endsWith('.woff2');

const toBytes = (path: string, content: string): Buffer =>
  Buffer.from(content, isFont(path) ? 'base64' : 'utf8');

/** Returns the text of the asset at a path such as `/assets/styles/base.X.css`, of this build or another, or `undefined`. */
export const findText = async (path: string): Promise<string | undefined> =>
  isFont(path) ? undefined : (contents.get(path) ?? (await findFormer(path))?.toString());

/** Returns the font at a path such as `/assets/fonts/inter.X.woff2`, which is compressed already, or `undefined`. */
export const findFont = async (path: string): Promise<Buffer | undefined> => {
  if (!isFont(path)) return undefined;
  const content = contents.get(path);
  return content === undefined ? findFormer(path) : toBytes(path, content);
};

/** Lists the assets of this build, by their paths. */
export const listAssets = (): ReadonlyMap<string, Buffer> =>
  new Map([...contents].map(([path, content]) => [path, toBytes(path, content)]));
