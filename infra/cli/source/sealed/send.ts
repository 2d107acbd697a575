import type { Client } from '../../../../functions/web/browser/client/client.ts';
import type { Data } from '../../../../functions/web/browser/client/endpoints.ts';
import { type SealKey, toProof } from '../../../../functions/web/browser/sealed/key.ts';
import type { Content } from '../commands/content.ts';
import { create, type Fields } from '../commands/sending.ts';
import type { Shared } from '../commands/shared.ts';
import { withUpload } from '../folder/upload.ts';
import { interruption as signal } from '../interruption.ts';
import type { OpenedShare } from './open.ts';
import { sealShared, sealText } from './seal-shared.ts';

type Created = Data<'POST /api/share'>;
type Changed = Data<'PUT /api/share/{id}'>;

/** What a request says of sealed content. */
interface SealedBody {
  readonly sealed: true;
  readonly content: string;
  readonly language: 'html' | 'markdown';
  readonly proof: string;
  readonly upload?: string;
  readonly files?: { path: string; sha256: string }[] | null;
}

/** Seals content, uploads its files, and calls `use` with what a request has. If that fails, the upload is deleted. */
const withSealed = async <Result>(
  client: Client,
  key: SealKey,
  { shared, share }: { readonly shared: Shared; readonly share?: string },
  use: (body: SealedBody) => Promise<Result>,
): Promise<Result> => {
  const { content, language, files } = await sealShared(key, shared);
  const body = { sealed: true, content, language, proof: await toProof(key) } as const;
  if (files.length === 0) return use({ ...body, ...(share !== undefined && { files: null }) });
  return withUpload(client, { name: 'The files', files }, share, (sent) =>
    use({ ...body, ...sent }),
  );
};

/**
 * Creates a sealed share.
 * @throws ApiError; CliError; the reason of the interruption, after which nothing is left
 */
export const createSealed = (
  client: Client,
  key: SealKey,
  shared: Shared,
  fields: Fields,
): Promise<Created> =>
  withSealed(client, key, { shared }, (body) => create(client, { ...body, ...fields }));

/** What changes with new content, and the version that it has to be of. */
interface ChangeOptions {
  readonly version?: number | undefined;
  readonly fields?: object;
}

const put = (
  client: Client,
  id: string,
  body: object,
  { version, fields }: ChangeOptions,
): Promise<Changed> =>
  client.call('PUT /api/share/{id}', {
    params: { id },
    body: { ...body, ...fields },
    ifMatch: version,
    signal,
  });

/**
 * Replaces the text of an opened share under its key; its files stay.
 * @throws ApiError; CliError for a text that is too long
 */
export const saveText = async (
  client: Client,
  { share: { id }, key, content: { files } }: OpenedShare,
  { content: text, language }: Pick<Content, 'content' | 'language'>,
  options: ChangeOptions = {},
): Promise<Changed> => {
  const content = await sealText(key, { language, text, files });
  return put(client, id, { content, language, proof: await toProof(key) }, options);
};

/**
 * Replaces all content of an opened share under its key, so that its link stays.
 * @throws ApiError; CliError; the reason of the interruption
 */
export const changeSealed = (
  client: Client,
  { share: { id }, key }: OpenedShare,
  shared: Shared,
  options: ChangeOptions = {},
): Promise<Changed> =>
  withSealed(client, key, { shared, share: id }, (body) => put(client, id, body, options));
