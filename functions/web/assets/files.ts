import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import files from './built/files.json' with { type: 'json' };

/** A file in each encoding that browsers accept. */
export interface AssetFile {
  readonly identity: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

const contents = new Map(Object.entries<string>(files));
const loaded = new Map<string, Promise<AssetFile>>();
const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

// Maximum quality takes 20 times as long and saves only 10 %.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const load = async (text: string): Promise<AssetFile> => {
  const identity = Buffer.from(text);
  const [br, gzipped] = await Promise.all([
    toBrotli(identity, brotliOptions),
    toGzip(identity, { level: 9 }),
  ]);
  return { identity, br, gzip: gzipped };
};

const isFont = (path: string): boolean => path.endsWith('.woff2');

/** Returns the asset at a path such as `/assets/styles/base.X.css`, or `undefined`. Compresses it once. */
export const getAssetFile = (path: string): Promise<AssetFile> | undefined => {
  const text = contents.get(path);
  if (text === undefined || isFont(path)) return undefined;
  const known = loaded.get(path) ?? load(text);
  loaded.set(path, known);
  return known;
};

/** Returns the font at a path such as `/assets/fonts/inter.X.woff2`, which is compressed already, or `undefined`. */
export const getFont = (path: string): Buffer | undefined => {
  const base64 = contents.get(path);
  return base64 === undefined || !isFont(path) ? undefined : Buffer.from(base64, 'base64');
};
