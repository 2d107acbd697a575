import { createHash } from 'node:crypto';
import { type ManifestFile, storeManifest } from '../../../functions/api/share/files/manifest.ts';
import { putShareObject } from '../../../functions/api/share/files/objects.ts';
import { loadShare } from '../../../functions/api/share/reading/load.ts';
import { getCounts } from '../../../functions/api/share/record/counters.ts';
import { shareKeys } from '../../../functions/api/share/record/keys.ts';
import { countSteps } from '../../../shared/counters/counter.ts';
import { updateFields, versionCondition } from '../../../shared/db/field-update.ts';
import { transact } from '../../../shared/db/transaction.ts';

/** The types of these files, by their endings. */
const types: Readonly<Record<string, string>> = {
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
  json: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  xml: 'text/plain',
  txt: 'text/plain',
  md: 'text/plain',
  pdf: 'application/pdf',
  mp3: 'audio/mpeg',
  woff2: 'font/woff2',
};

const getType = (path: string): string =>
  types[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';

/** Files by their paths, as text or bytes, or with a type that the ending doesn’t tell. */
export type Files = Readonly<
  Record<string, string | Uint8Array | { readonly type: string; readonly text: string }>
>;

const toBytes = (content: Files[string]): Uint8Array => {
  if (content instanceof Uint8Array) return content;
  return Buffer.from(typeof content === 'string' ? content : content.text);
};

const describe = (path: string, content: Files[string], bytes: Uint8Array): ManifestFile => ({
  path,
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  type: typeof content === 'object' && 'type' in content ? content.type : getType(path),
});

/** Gives files to a share, whose text becomes the page `main`, as a request would store them. */
export const addFiles = async (
  id: string,
  files: Files,
  { main = 'index.html', text = '' }: { readonly main?: string; readonly text?: string } = {},
): Promise<void> => {
  const others = await Promise.all(
    Object.entries(files).map(async ([path, content]) => {
      const bytes = toBytes(content);
      return { ...describe(path, content, bytes), object: await putShareObject(id, bytes) };
    }),
  );
  const page = describe(main, text, Buffer.from(text));
  const { share } = await loadShare(id);
  const stored = await storeManifest(id, { main, files: [page, ...others], former: [] });
  const after = { ...share, files: stored.files };
  const refused = await transact([
    {
      write: updateFields(
        shareKeys.record.at({ id }),
        { files: stored.files },
        versionCondition(share.version),
      ),
      refused: 'changed',
    },
    stored.write,
    ...countSteps(getCounts(share), getCounts(after)),
  ]);
  if (refused) throw new Error('The share was changed');
};
