import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

/** What the pages run: ES modules that a browser loads as they are. On AWS they lie beside the bundle. */
export const scriptNames = [
  'account.js',
  'forgot.js',
  'forms.js',
  'sign-in.js',
  'words.js',
] as const;

export type ScriptName = (typeof scriptNames)[number];

/** A script, plain and compressed. */
interface Script {
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

const loaded = new Map<ScriptName, Promise<Script>>();

const load = async (name: ScriptName): Promise<Script> => {
  const folder = import.meta.url.endsWith('.ts') ? './browser/' : './';
  const plain = await readFile(new URL(folder + name, import.meta.url));
  return { plain, gzipped: await compress(plain) };
};

/** A script; read and compressed once. */
export const script = (name: ScriptName): Promise<Script> => {
  const known = loaded.get(name) ?? load(name);
  loaded.set(name, known);
  return known;
};
