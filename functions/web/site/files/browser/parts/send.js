import { ApiError, toApiError } from '../../../../browser/api.js';
import { parseJson, send } from '../../../../browser/send.js';
import { filesTexts as texts } from '../../texts.ts';

/**
 * Posts to the API, with an Idempotency-Key that makes retries safe.
 * @param {string} path
 * @param {unknown} body
 * @param {string} [key]
 * @returns {Promise<any>} the response data
 * @throws ApiError
 */
export const post = async (path, body, key) => {
  const { status, text } = await send('POST', path, {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) },
  });
  const response = parseJson(text);
  if (status < 300 && response !== undefined) return response.data;
  if (status === 401) throw new ApiError(401, texts.signedOut);
  throw toApiError(status, response);
};

/**
 * Posts an upload form to S3.
 * @param {{ url: string, fields: Record<string, string> }} form
 * @param {File} file
 * @param {(part: number) => void} onProgress
 * @param {AbortSignal} signal
 * @throws ApiError if S3 rejects the file
 */
export const sendForm = async ({ url, fields }, file, onProgress, signal) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  // S3 ignores fields after the file.
  body.append('file', file, 'file');
  const { status } = await send('POST', url, { body, onProgress, signal }).catch((failure) => {
    throw failure instanceof ApiError ? new ApiError(0, texts.storeAway) : failure;
  });
  if (status >= 300) throw new ApiError(status, texts.storeRefused);
};
