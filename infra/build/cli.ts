import { basename, join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
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

/** What is bundled apart from the command, which loads it from beside it when it needs it: most commands don’t. */
const apart = {
  unpack: 'infra/cli/source/folder/unpack.ts',
  assistants: 'infra/cli/source/assistants/assistants.ts',
  archives: 'infra/cli/source/archives/archives.ts',
} as const;

const leaveApart: Plugin = {
  name: 'apart',
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/(unpack|assistants|archives)\.ts$/ }, ({ kind, path }) =>
      kind === 'dynamic-import'
        ? { path: `./${basename(path, '.ts')}.cjs`, external: true }
        : undefined,
    );
  },
};

/** Bundles the command `handbill`, and the client of its package for browsers and Node.js, with the licences of both. */
export const buildCli = async (): Promise<{
  command: string;
  unpack: string;
  assistants: string;
  archives: string;
  client: string;
  licences: string;
}> => {
  const forNode = { platform: 'node', format: 'cjs', target: 'node20' } as const;
  const [command, unpack, assistants, archives, client] = await Promise.all([
    bundle({
      ...forNode,
      entryPoints: ['infra/cli/source/handbill.ts'],
      plugins: [leaveApart],
    }),
    bundle({ ...forNode, entryPoints: [apart.unpack] }),
    bundle({ ...forNode, entryPoints: [apart.assistants], plugins: [leaveApart] }),
    bundle({ ...forNode, entryPoints: [apart.archives], plugins: [leaveApart] }),
    bundle({
      entryPoints: ['infra/cli/client/client.ts'],
      platform: 'neutral',
      format: 'esm',
      target: ['es2022'],
    }),
  ]);
  const licences = formatLicences(root, [
    ...command.packages,
    ...unpack.packages,
    ...assistants.packages,
    ...archives.packages,
    ...client.packages,
  ]);
  return {
    command: command.text,
    unpack: unpack.text,
    assistants: assistants.text,
    archives: archives.text,
    client: client.text,
    licences,
  };
};
