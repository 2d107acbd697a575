import { ApiError, maxWaitMs } from './api.js';
import { commonTexts as texts } from './texts.ts';

/** @typedef {{ body?: string | FormData, headers?: Record<string, string>, onProgress?: (part: number) => void, signal?: AbortSignal }} SendOptions */

/**
 * Sends a request and reports the sent part of its body, from 0 to 1. Aborts when nothing has been sent for too long.
 * @param {string} method
 * @param {string} url
 * @param {SendOptions} options
 * @returns {Promise<{ status: number, text: string }>}
 * @throws ApiError with status 0 if there is no response; the reason of the signal if it aborts the request
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
      timer = setTimeout(() => request.abort(), maxWaitMs);
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

/** Parses JSON. @param {string} text @returns {any} undefined if it is invalid */
export const parseJson = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
