import { ApiError } from '../../../../../browser/client/api-error.ts';
import type { Client } from '../../../../../browser/client/client.ts';
import type { Data } from '../../../../../browser/client/endpoints.ts';
import { hash, sendForm } from './uploads/form.ts';

/** The path of a page in a share without other files. */
const pagePath = 'index.html';

interface NamedFile {
  readonly path: string;
  readonly sha256: string;
}

/** A share as the API takes it, as far as it is about the content. */
export interface ContentBody {
  readonly content?: string | undefined;
  readonly language?: string | undefined;
  readonly upload?: string | undefined;
  readonly files?: readonly NamedFile[] | null | undefined;
  readonly main?: string | undefined;
}

/** The upload of the last page, so that what is sent again after a refusal need not be uploaded again. */
let lastUpload: string | undefined;

type Reserved = Data<'POST /api/share/uploads'>;

/** Asks for a form, in an upload that there is unless that is over. */
const reserve = async (
  client: Client,
  body: { readonly files: (NamedFile & { readonly size: number })[]; readonly share?: string },
  upload: string | undefined,
): Promise<Reserved> => {
  if (upload === undefined) return client.call('POST /api/share/uploads', { body });
  try {
    return await client.call('POST /api/share/uploads', { body: { ...body, upload } });
  } catch (error) {
    const isOver = error instanceof ApiError && error.status === 404 && upload === lastUpload;
    if (!isOver) throw error;
    lastUpload = undefined;
    return reserve(client, body, undefined);
  }
};

/**
 * Uploads a content that no request takes, and returns the share with it as a file. `share` is the one that is changed.
 * @throws ApiError
 */
export const uploadContent = async <Body extends ContentBody>(
  client: Client,
  { content = '', language: _, upload, files, main = pagePath, ...rest }: Body,
  share: string | undefined,
  onProgress: (part: number) => void,
) => {
  const bytes = new Blob([content]);
  const page = { path: main, sha256: await hash(bytes) };
  const asked = { files: [{ ...page, size: bytes.size }], ...(share !== undefined && { share }) };
  const reserved = await reserve(client, asked, upload ?? lastUpload);
  if (upload === undefined) lastUpload = reserved.id;
  // Without a form, it is there.
  for (const form of reserved.forms) {
    await sendForm(form, bytes, onProgress, new AbortController().signal);
  }
  const others = (files ?? []).filter(({ path }) => path !== main);
  return { ...rest, upload: reserved.id, files: [page, ...others], main };
};
