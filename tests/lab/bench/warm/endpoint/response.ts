import { createHash } from 'node:crypto';
import { RecordId } from '../../../../../shared/db/ids.ts';
import { Output, type Shown } from './documents.ts';
import { notFound } from './errors.ts';

export const jsonType = 'application/json; charset=utf-8';

/** Returns the headers of every response. */
export const commonHeaders = (requestId: string) => ({
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=63072000',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
});

/** Parses the id in a path; an invalid id finds no document. */
export const readId = (text: string | undefined): number => {
  const id = RecordId.safeParse(text);
  if (!id.success) throw notFound();
  return id.data;
};

/** Returns the JSON of a response and its entity tag; the schema strips unknown fields. */
export const present = (shown: Shown): { readonly body: string; readonly etag: string } => {
  const checked = Output.parse(shown);
  const body = JSON.stringify(checked);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 8);
  return { body, etag: `"${checked.data.version}-${hash}"` };
};
