import files from './built/files.json' with { type: 'json' };
import { findFormer } from './former.ts';

const contents = new Map(Object.entries<string>(files));

/** Fonts and images, which are compressed already. */
const isBinary = (path: string): boolean => /\.(?:woff2|png)$/.test(path);

const toBytes = (path: string, content: string): Buffer =>
  Buffer.from(content, isBinary(path) ? 'base64' : 'utf8');

/** Returns the text of the asset at a path such as `/assets/styles/base.X.css`, of this build or another, or `undefined`. */
export const findText = async (path: string): Promise<string | undefined> =>
  isBinary(path) ? undefined : (contents.get(path) ?? (await findFormer(path))?.toString());

/** Returns the font or the image at a path such as `/assets/fonts/inter.X.woff2`, or `undefined`. */
export const findBinary = async (path: string): Promise<Buffer | undefined> => {
  if (!isBinary(path)) return undefined;
  const content = contents.get(path);
  return content === undefined ? findFormer(path) : toBytes(path, content);
};

/** Lists the assets of this build, by their paths. */
export const listAssets = (): ReadonlyMap<string, Buffer> =>
  new Map([...contents].map(([path, content]) => [path, toBytes(path, content)]));
