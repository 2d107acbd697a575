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
type Fields = Omit<Input, 'content' | 'language' | 'fileName' | 'upload' | 'files' | 'main'>;

const create = (client: Client, body: Input | FormData): Promise<Created> =>
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
): Promise<ReadyFiles | undefined> => {
  if (language !== 'html' || fitsRequest(body)) return undefined;
  const isPage = fileName !== undefined && /\.html?$/i.test(fileName);
  return { ...(await preparePage(isPage ? fileName : 'index.html', content)), fileName };
};

/**
 * Creates a share. Files, and HTML that no request takes, are uploaded first.
 * @throws ApiError; CliError; the reason of the interruption, after which nothing is left
 */
export const createShare = async (
  client: Client,
  shared: Shared,
  fields: Fields,
): Promise<Created> => {
  const createOf = (files: ReadyFiles): Promise<Created> =>
    withUpload(client, files, undefined, (sent) => {
      const { fileName } = files;
      return create(client, { ...sent, ...(fileName !== undefined && { fileName }), ...fields });
    });
  if ('files' in shared) return createOf(shared.files);
  if ('file' in shared) return create(client, toForm(shared.file, fields));
  const body = { ...shared.text, ...fields };
  const page = await toPage(shared.text, body);
  return page ? createOf(page) : create(client, body);
};

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
  const change = (body: Change): Promise<Changed> =>
    client.call('PUT /api/share/{id}', { params: { id }, body, ifMatch: version, signal });
  const changeTo = (files: ReadyFiles): Promise<Changed> =>
    withUpload(client, files, id, (sent) => change({ ...sent, ...fields }));
  if ('files' in shared) return changeTo(shared.files);
  if ('file' in shared) return changeTo(await toFiles(shared.file));
  const { content, language } = shared.text;
  const body = { content, language, ...fields };
  const page = await toPage(shared.text, body);
  return page ? changeTo(page) : change(body);
};
