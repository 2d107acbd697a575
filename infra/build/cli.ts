import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

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

const textOf = async (options: BuildOptions): Promise<string> => {
  const { outputFiles } = await build({ ...common, ...options });
  return outputFiles?.[0]?.text ?? '';
};

/** Bundles the command `handbill`, and the client of its package for browsers and Node.js. */
export const buildCli = async (): Promise<{ command: string; client: string }> => {
  const [command, client] = await Promise.all([
    textOf({
      entryPoints: ['infra/cli/source/handbill.ts'],
      platform: 'node',
      format: 'cjs',
      target: 'node20',
    }),
    textOf({
      entryPoints: ['infra/cli/client/client.ts'],
      platform: 'neutral',
      format: 'esm',
      target: ['es2022'],
    }),
  ]);
  return { command, client };
};
