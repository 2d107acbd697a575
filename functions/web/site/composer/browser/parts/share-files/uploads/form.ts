import { ApiError } from '../../../../../../browser/client/api-error.ts';
import { withProgress } from '../../../../../../browser/client/progress.ts';
import { transmit } from '../../../../../../browser/client/transport.ts';
import { shareFilesTexts as texts } from '../../../../share-files-texts.ts';
import type { UploadTransport } from './uploads.ts';

/** Returns the SHA-256 of bytes in hexadecimal. */
export const hash: UploadTransport['hash'] = async (bytes) => {
  const digest = await crypto.subtle.digest('SHA-256', await bytes.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
};

/** Sends a file to the storage. @throws ApiError; its status is 0 if the same form can be sent again */
export const sendForm: UploadTransport['send'] = async (
  { url, fields },
  bytes,
  onProgress,
  signal,
) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  // S3 ignores fields after the file.
  body.append('file', bytes, 'file');
  const fetchIt: typeof fetch = async (...request) => {
    const { ok, status } = await withProgress(onProgress)(...request);
    // S3 responds with XML or nothing.
    return Response.json({}, { status: ok ? 200 : status });
  };
  const init = { method: 'POST', body };
  try {
    await transmit({ fetch: fetchIt, url, init, timeoutMs: Number.POSITIVE_INFINITY, signal });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError(error.status, texts.uploadFailed, { code: error.code, cause: error });
  }
};
