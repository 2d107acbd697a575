// The code of sealed shares as a script for a browser, and the vectors that it has to open.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const room = join(import.meta.dirname, '../../../functions/web/browser/sealed');

/** The vectors of the format. */
export const vectors: readonly Readonly<Record<string, unknown>>[] = JSON.parse(
  readFileSync(join(room, 'vectors.json'), 'utf8'),
);

/** Bundles the module as a script that leaves it in `sealed`. */
export const bundleSealed = async (): Promise<string> => {
  const { outputFiles } = await build({
    stdin: {
      contents:
        "export * from './key.ts'; export * from './content.ts'; export * from './alone.ts';",
      resolveDir: room,
    },
    ...{ bundle: true, write: false, format: 'iife', globalName: 'sealed' },
  });
  return outputFiles[0]?.text ?? '';
};

/** A script that opens all vectors, and seals each again: its value is a promise. */
export const openVectors = `(async (vectors) => {
  const opened = [];
  for (const { fragment, passphrase, envelope } of vectors) {
    const key = await sealed.readKey(fragment, passphrase);
    const content = await sealed.openContent(key, envelope);
    const again = await sealed.openContent(key, await sealed.sealContent(key, content));
    opened.push({ proof: await sealed.toProof(key), content, again });
  }
  return opened;
})(${JSON.stringify(vectors)})`;

/** What that script returns. */
export const openedVectors = vectors.map(({ proof, content }) => ({
  ...{ proof, content, again: content },
}));
