import { toApiError } from '../../../../browser/api.js';
import { parseJson, send } from '../../../../browser/send.js';

/**
 * Sends JSON to the API and reports upload progress; otherwise like `request`.
 * @param {string} method
 * @param {string} path
 * @param {{ body: string, headers: Record<string, string> }} content
 * @param {(percent: number) => void} onProgress
 * @returns {Promise<any>}
 */
export const upload = async (method, path, { body, headers }, onProgress) => {
  const { status, text } = await send(method, path, {
    body,
    headers: { 'content-type': 'application/json', ...headers },
    onProgress: (part) => onProgress(Math.round(100 * part)),
  });
  const response = parseJson(text);
  if (status >= 200 && status < 300 && response) return response;
  throw toApiError(status, response);
};
