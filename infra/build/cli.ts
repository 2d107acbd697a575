import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { formatLicences, listPackages } from './package-licences.ts';

const root = join(import.meta.dirname, '../..');

const common = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  charset: 'utf8',
  legalComments: 'inline',
  write: false,
  logLevel: 'warning',
} as const satisfies BuildOptions;

const bundle = async (options: BuildOptions): Promise<{ text: string; packages: string[] }> => {
  const { outputFiles, metafile } = await build({ ...common, ...options, metafile: true });
  return { text: outputFiles?.[0]?.text ?? '', packages: listPackages(metafile) };
};

/** Bundles the command `handbill`, and the client of its package for browsers and Node.js, with the licences of both. */
export const buildCli = async (): Promise<{
  command: string;
  client: string;
  licences: string;
}> => {
  const [command, client] = await Promise.all([
    bundle({
      entryPoints: ['infra/cli/source/handbill.ts'],
      platform: 'node',
      format: 'cjs',
      target: 'node20',
    }),
    bundle({
      entryPoints: ['infra/cli/client/client.ts'],
      platform: 'neutral',
      format: 'esm',
      target: ['es2022'],
    }),
  ]);
  const licences = formatLicences(root, [...command.packages, ...client.packages]);
  return { command: command.text, client: client.text, licences };
};
