import type { Client } from '../../../../functions/web/browser/client/client.ts';
import type { Data, Options } from '../../../../functions/web/browser/client/endpoints.ts';
import { fitsRequest } from '../../../../functions/web/browser/client/request-size.ts';
import { createWhole } from '../creation.ts';
import { preparePage, type ReadyFiles } from '../folder/prepare.ts';
import { withUpload } from '../folder/upload.ts';
import { interruption as signal } from '../interruption.ts';
import type { Content } from './content.ts';
import type { Shared } from './shared.ts';

type Input = Options<'POST /api/share'>['body'];
type Change = NonNullable<Options<'PUT /api/share/{id}'>['body']>;
type Created = Data<'POST /api/share'>;
type Changed = Data<'PUT /api/share/{id}'>;

/** The options of a share, by the names of the API. */
export type Fields = Omit<Input, 'content' | 'language' | 'fileName' | 'upload' | 'files' | 'main'>;

/** Creates a share of a body. @throws as `createShare` */
export const create = (client: Client, body: Input | FormData): Promise<Created> =>
  createWhole(
    (sending) => client.call('POST /api/share', { body: body as Input, ...sending }),
    ({ id }) => client.call('DELETE /api/share/{id}', { params: { id } }),
  );

const toForm = (file: File, fields: Fields): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append('file', file);
  return form;
};

/** Returns the file that HTML is which no request takes; `undefined` if one does. */
const toPage = async (
  { content, language, fileName }: Content,
  body: object,
  fits = fitsRequest,
): Promise<ReadyFiles | undefined> => {
  if (language !== 'html' || fits(body)) return undefined;
  const isPage = fileName !== undefined && /\.html?$/i.test(fileName);
  return { ...(await preparePage(isPage ? fileName : 'index.html', content)), fileName };
};

/** The fields that say what is shared. */
export type ContentFields = Pick<
  Change & Input,
  'content' | 'language' | 'fileName' | 'title' | 'upload' | 'files' | 'main'
>;

/** What is sent beside content, and whether a request takes both. */
interface SendingOptions {
  readonly share?: string | undefined;
  readonly fields: object;
  readonly fits?: (body: object) => boolean;
}

/**
 * Calls `use` with the fields of content that is shared beside other fields. Files, and HTML that no request takes, are uploaded
 * first; of those that the share `share` has, nothing is sent. If `use` fails, the upload is deleted.
 * @throws ApiError; CliError; the reason of the interruption; what `use` throws
 */
export const withContent = async <Result>(
  client: Client,
  shared: Exclude<Shared, { readonly file: File }>,
  { share, fields, fits }: SendingOptions,
  use: (content: ContentFields) => Promise<Result>,
): Promise<Result> => {
  // What a share is called follows from its first content alone.
  const toNamed = (content: ContentFields): ContentFields => {
    if (share === undefined) return content;
    const { fileName, title, ...rest } = content;
    return rest;
  };
  const send = (files: ReadyFiles): Promise<Result> =>
    withUpload(client, files, share, (sent) => {
      const { fileName } = files;
      return use(toNamed({ ...sent, ...(fileName !== undefined && { fileName }) }));
    });
  if ('files' in shared) return send(shared.files);
  const page = await toPage(shared.text, { ...shared.text, ...fields }, fits);
  return page ? send(page) : use(toNamed(shared.text));
};

/**
 * Creates a share.
 * @throws ApiError; CliError; the reason of the interruption, after which nothing is left
 */
export const createShare = (client: Client, shared: Shared, fields: Fields): Promise<Created> =>
  'file' in shared
    ? create(client, toForm(shared.file, fields))
    : withContent(client, shared, { fields }, (content) =>
        create(client, { ...content, ...fields }),
      );

const toFiles = async (file: File): Promise<ReadyFiles> => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { name: file.name, files: [{ path: file.name, bytes }] };
};

/**
 * Changes a share: its text, or all of its files, of which only new ones are sent.
 * @throws ApiError; CliError; the reason of the interruption
 */
export const changeShare = async (
  client: Client,
  { id, version }: { readonly id: string; readonly version?: number },
  shared: Shared,
  fields: Fields,
): Promise<Changed> => {
  const known = 'file' in shared ? { files: await toFiles(shared.file) } : shared;
  return withContent(client, known, { share: id, fields }, (content) =>
    client.call('PUT /api/share/{id}', {
      params: { id },
      body: { ...content, ...fields } as Change,
      ifMatch: version,
      signal,
    }),
  );
};
