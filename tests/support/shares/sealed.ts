import {
  type SealedFile,
  sealContent,
  sealFile,
} from '../../../functions/web/browser/sealed/content.ts';
import {
  createFragment,
  readKey,
  type SealKey,
  toProof,
} from '../../../functions/web/browser/sealed/key.ts';
import { type Answer, type CallOptions, call } from '../service/call.ts';

/** A key, and what a client has of it. */
export interface Seal {
  readonly fragment: string;
  readonly key: SealKey;
  readonly proof: string;
}

/** What no one but a reader may see of a sealed share. */
export const secretText = 'The safe opens with 4711-Falke.';

/** Creates a key, joined with a passphrase if one is given. */
export const newSeal = async (passphrase?: string): Promise<Seal> => {
  const fragment = createFragment({ hasPassphrase: passphrase !== undefined });
  const key = await readKey(fragment, passphrase);
  return { fragment, key, proof: await toProof(key) };
};

/** Seals a text as the content of a share. */
export const sealText = (
  { key }: Pick<Seal, 'key'>,
  text = secretText,
  files: readonly SealedFile[] = [],
): Promise<string> => sealContent(key, { language: 'markdown', text, files });

/** Seals files as those of a share: their bytes by path, and how the content names them. */
export const sealFiles = async (
  { key }: Pick<Seal, 'key'>,
  files: Readonly<Record<string, string>>,
) => {
  const sealed = await Promise.all(
    Object.entries(files).map(async ([name, text], at) => {
      const content = new TextEncoder().encode(text);
      const { id, bytes } = await sealFile(key, content);
      const named: SealedFile = {
        ...{ path: `f${at}.sealed`, id, name },
        ...{ type: 'text/plain', size: content.length },
      };
      return { named, bytes };
    }),
  );
  return {
    named: sealed.map(({ named }) => named),
    sent: Object.fromEntries(sealed.map(({ named, bytes }) => [named.path, bytes])),
  };
};

/** Returns the body that creates a sealed share. */
export const sealedBody = async (seal: Seal, body: object = {}) => ({
  ...{ sealed: true, content: await sealText(seal), proof: seal.proof },
  ...body,
});

/** Asks for a sealed share by the API, with what is given. */
export const unseal = (
  id: string,
  { proof, claim, method = 'GET', ...options }: CallOptions & Given = {},
): Promise<Answer> =>
  call(`${method} /api/share`, {
    query: { id },
    ...options,
    headers: {
      ...(proof !== undefined && { 'x-share-proof': proof }),
      ...(claim !== undefined && { 'x-share-claim': claim }),
    },
  });

/** What a reader gives, and how it asks. */
interface Given {
  readonly proof?: string;
  readonly claim?: string;
  readonly method?: 'GET' | 'HEAD';
}
