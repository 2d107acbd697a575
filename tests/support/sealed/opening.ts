import {
  openContent,
  openFile,
  type SealedFile,
} from '../../../functions/web/browser/sealed/content.ts';
import { readKey, toProof } from '../../../functions/web/browser/sealed/key.ts';

/** Opens a sealed share by its whole link as a reader without our pages does. */
export const openByLink = async (link: string, passphrase?: string) => {
  const { origin, pathname, hash } = new URL(link);
  const key = await readKey(hash, passphrase);
  const id = pathname.slice(pathname.lastIndexOf('/') + 1);
  const headers = { 'x-share-proof': await toProof(key) };
  const response = await fetch(`${origin}/api/share?id=${id}`, { headers });
  const share = await response.json();
  if (!response.ok) throw new Error(`${response.status} ${share.error?.message}`);
  return {
    share,
    content: await openContent(key, share.content),
    readFile: async (file: SealedFile): Promise<string> => {
      const envelope = await (await fetch(share.filesUrl + file.path)).arrayBuffer();
      return new TextDecoder().decode(await openFile(key, file, new Uint8Array(envelope)));
    },
  };
};
