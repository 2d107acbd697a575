import { Failure, failureOf, mostWaitMs } from '../../../assets/browser/modules/api.js';
import { commonTexts as texts } from '../../../texts.ts';

/**
 * Sends JSON to the API, and tells how much of it is sent; otherwise as `call`. Where nothing goes on any more it ends.
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
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), mostWaitMs);
    };
    request.upload.onprogress = ({ loaded, total }) => {
      wait();
      onProgress(total > 0 ? Math.round((100 * loaded) / total) : 0);
    };
    request.onerror = () => reject(new Failure(0, texts.unreachable));
    request.onabort = request.onerror;
    request.onloadend = () => clearTimeout(timer);
    request.onload = () => {
      const { status, response } = request;
      if (status >= 200 && status < 300 && response) return resolve(response);
      reject(failureOf(status, response));
    };
    wait();
    request.send(body);
  });
