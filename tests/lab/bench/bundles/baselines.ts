import { join } from 'node:path';
import { build } from 'esbuild';
import { buildBundle } from '../../../../infra/functions/function-code.ts';

/**
 * Lower limits for bundles: one that only reads an item, one that only responds; and the first as infra/ bundles the
 * functions, which shows the possible gain.
 */
export const floorNames = ['document-client', 'bare-handler', 'document-client, as ours'] as const;

export type FloorName = (typeof floorNames)[number];

const source = (name: string): string => join(import.meta.dirname, `${name}.ts`);

/** Bundles a baseline into a separate folder below `outdir`; returns the file. */
export const buildFloor = async (name: FloorName, outdir: string): Promise<string> => {
  const folder = join(outdir, name.replace(/\W+/g, '-'));
  const outfile = join(folder, 'bundle.js');
  if (name === 'document-client, as ours') {
    buildBundle(source('document-client'), folder);
    return outfile;
  }
  await build({
    entryPoints: [source(name)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    // By plain HTTP the SDK imports node:http, which loads half of Node as an ES module; on Lambda, by HTTPS, it doesn't.
    supported: { 'dynamic-import': false },
    minify: true,
    logLevel: 'warning',
  });
  return outfile;
};
