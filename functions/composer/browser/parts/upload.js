import { Failure } from '../../../assets/browser/modules/api.js';
import { commonTexts as texts } from '../../../texts.ts';

/**
 * Sends JSON to the API, and tells how much of it is sent; otherwise as `call`.
 * @param {string} method
 * @param {string} path
 * @param {{ body: string, headers: Record<string, string> }} content
 * @param {(percent: number) => void} onProgress
 * @returns {Promise<any>}
 */
export const upload = (method, path, { body, headers }, onProgress) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, path);
    request.setRequestHeader('content-type', 'application/json');
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) =>
      onProgress(total > 0 ? Math.round((100 * loaded) / total) : 0);
    request.onerror = () => reject(new Failure(0, texts.unreachable));
    request.onload = () => {
      const { status, response } = request;
      if (status >= 200 && status < 300 && response) return resolve(response);
      const { message, details } = response?.error ?? {};
      reject(new Failure(status, message ?? texts.failed, details));
    };
    request.send(body);
  });
