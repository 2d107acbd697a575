import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { sealContent } from '../../../functions/web/browser/sealed/content.ts';
import { joinLink } from '../../../functions/web/browser/sealed/link.ts';
import { newSeal, type Seal, sealFiles, secretText } from '../shares/sealed.ts';

/** What is sealed, and how it is shared. */
export interface SealedInput {
  readonly text?: string;
  readonly language?: 'html' | 'markdown';
  /** Texts by names. */
  readonly files?: Readonly<Record<string, string>>;
  readonly passphrase?: string;
  /** Of the share, such as `viewLimit`. */
  readonly options?: object;
}

/** A sealed share of a running service. */
export interface SealedShare extends Seal {
  readonly id: string;
  readonly url: string;
  /** With the key. */
  readonly link: string;
  /** The paths of its files. */
  readonly paths: readonly string[];
}

/** Sends a request as the owner of the share. */
type Ask = (endpoint: string, body?: Record<string, unknown>) => Promise<Record<string, unknown>>;

interface Form {
  readonly path: string;
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

const upload = async (ask: Ask, sent: Readonly<Record<string, Uint8Array>>): Promise<unknown> => {
  const files = Object.entries(sent).map(([path, bytes]) => ({
    ...{ path, size: bytes.length },
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }));
  const { id, forms } = await ask('POST /api/share/uploads', { files });
  for (const { path, url, fields } of forms as readonly Form[]) {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    body.set('file', new Blob([new Uint8Array(sent[path] ?? [])]));
    expect((await fetch(url, { method: 'POST', body })).ok).toBe(true);
  }
  return id;
};

/** Seals a text with its files as a client does, and shares it with a running service. */
export const shareSealed = async (
  ask: Ask,
  { text = secretText, language = 'markdown', files, passphrase, options }: SealedInput = {},
): Promise<SealedShare> => {
  const seal = await newSeal(passphrase);
  const { named, sent } = await sealFiles(seal, files ?? {});
  const content = await sealContent(seal.key, { language, text, files: named });
  const created = await ask('POST /api/share', {
    ...{ sealed: true, language, content, proof: seal.proof, ...options },
    ...(files && { upload: await upload(ask, sent) }),
  });
  expect(created).toMatchObject({ id: expect.any(String) });
  const [id, url] = [String(created['id']), String(created['url'])];
  return { ...seal, id, url, link: joinLink(url, seal.fragment), paths: Object.keys(sent) };
};
