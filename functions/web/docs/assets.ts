import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

/** The static files of this group and their paths in the repository. On AWS they are next to the bundle. */
export const assets = {
  'openapi.json': './built/openapi.json',
  'reference.json': './built/reference.json',
  'swagger-ui.css': '../../../node_modules/swagger-ui-dist/swagger-ui.css',
  'swagger-ui-bundle.js': '../../../node_modules/swagger-ui-dist/swagger-ui-bundle.js',
} as const;

export type AssetName = keyof typeof assets;

/** A file with its compressed form. */
interface Asset {
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

const loaded = new Map<AssetName, Promise<Asset>>();

const load = async (name: AssetName): Promise<Asset> => {
  const path = import.meta.url.endsWith('.ts') ? assets[name] : `./${name}`;
  const plain = await readFile(new URL(path, import.meta.url));
  return { plain, gzipped: await compress(plain) };
};

/** Returns a static file. Reads and compresses it once. */
export const getAsset = (name: AssetName): Promise<Asset> => {
  const known = loaded.get(name) ?? load(name);
  loaded.set(name, known);
  return known;
};
