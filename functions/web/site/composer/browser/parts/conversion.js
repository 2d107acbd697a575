import { byId } from '../../../../browser/page.js';

/** The timeout of a conversion. ms. The server allows a second of CPU. */
const mostMs = 2_000;

/**
 * The current worker; `undefined` after it was terminated. @type {Promise<Worker>
 * undefined}
 */
let loaded;

/** The number of the latest conversion; older ones are dropped. */
let latest = 0;

/** Cancels the running conversion, if any. */
let end = () => {};

/** @returns {Promise<Worker>} resolves once the worker is ready */
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
 * @returns {Promise<string
 * undefined>} `undefined` after a timeout or a newer call
 * @throws Error if the worker can't be loaded
 */
export const convert = async (text) => {
  latest += 1;
  const mine = latest;
  end();
  loaded ??= load();
  const worker = await loaded;
  return mine === latest ? runConversion(worker, text) : undefined;
};
