import { ApiError, mostWaitMs } from './api.js';
import { commonTexts as texts } from './texts.ts';

/** @typedef {{ body?: string | FormData, headers?: Record<string, string>, onProgress?: (part: number) => void, signal?: AbortSignal }} Sent */

/**
 * Sends a request and tells how much of its body is gone, from 0 to 1. It ends where nothing goes on any more.
 * @param {string} method
 * @param {string} url
 * @param {Sent} sent
 * @returns {Promise<{ status: number, text: string }>}
 * @throws Failure of status 0 where no answer comes; what the signal says, when it ends the request
 */
export const send = (method, url, { body, headers = {}, onProgress, signal }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), mostWaitMs);
    };
    if (onProgress) {
      request.upload.onprogress = ({ loaded, total }) => {
        wait();
        onProgress(total > 0 ? loaded / total : 0);
      };
    }
    const abort = () => {
      reject(signal?.reason);
      request.abort();
    };
    signal?.addEventListener('abort', abort);
    request.onerror = () => reject(new ApiError(0, texts.unreachable));
    request.onabort = request.onerror;
    request.onload = () => resolve({ status: request.status, text: request.responseText });
    request.onloadend = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    wait();
    request.send(body ?? null);
  });

/** @param {string} text @returns {any} what it is as JSON, if it is */
export const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
