import { join } from 'node:path';
import { build } from 'esbuild';

/** What no bundle can be lighter than: one that only reads an item, and one that only answers. */
export const floorNames = ['document-client', 'bare-handler'] as const;

export type FloorName = (typeof floorNames)[number];

/** Bundles a floor into a folder of its own below `outdir`, as infra/ bundles the functions; answers the file. */
export const buildFloor = async (name: FloorName, outdir: string): Promise<string> => {
  const outfile = join(outdir, name, 'index.js');
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    minify: true,
    sourcemap: 'external',
    sourcesContent: false,
    logLevel: 'warning',
  });
  return outfile;
};
