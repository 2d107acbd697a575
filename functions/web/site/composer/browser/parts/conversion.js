import { byId } from '../../../../browser/page.js';

/** How long a conversion may take; the server gives it a second of CPU. */
const mostMs = 2_000;

/** The worker that is loaded or about to be; none after one that was ended. @type {Promise<Worker> | undefined} */
let loaded;

/** Which conversion was asked for last: no other is carried out. */
let latest = 0;

/** Cancels the running conversion, if any. */
let end = () => {};

/** @returns {Promise<Worker>} when it says that it can begin */
const load = () =>
  new Promise((resolve, reject) => {
    const worker = new Worker(byId('preview').dataset.worker, { type: 'module' });
    worker.onmessage = () => resolve(worker);
    worker.onerror = () => {
      loaded = undefined;
      reject(new Error('The worker can’t be loaded'));
    };
  });

/** @param {Worker} worker @param {string} text @returns {Promise<string | undefined>} */
const runConversion = (worker, text) =>
  new Promise((resolve) => {
    /** @param {string} [html] */
    const finish = (html) => {
      clearTimeout(timer);
      worker.onmessage = null;
      worker.onerror = null;
      end = () => {};
      resolve(html);
    };
    end = () => {
      worker.terminate();
      loaded = undefined;
      finish();
    };
    const timer = setTimeout(end, mostMs);
    worker.onmessage = ({ data }) => finish(data);
    worker.onerror = end;
    worker.postMessage(text);
  });

/**
 * Converts Markdown for the preview. A newer call cancels this one.
 * @param {string} text
 * @returns {Promise<string | undefined>} nothing where it takes too long, or is out of date
 * @throws Error where the worker can't be loaded
 */
export const convert = async (text) => {
  latest += 1;
  const mine = latest;
  end();
  loaded ??= load();
  const worker = await loaded;
  return mine === latest ? runConversion(worker, text) : undefined;
};
