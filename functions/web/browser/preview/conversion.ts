import type { PageRequest, Rendered, RenderedPage } from './messages.ts';

/** The longest time for a conversion, ms. The server allows a second of CPU, and a phone may be ten times slower. */
const maxMs = 10_000;

/** What a conversion may fail with. */
export type Failure = 'unavailable' | 'too-slow';

/** A converter of Markdown in a worker. */
export interface Converter {
  /** Converts a text. Resolves to `undefined` if a newer one follows or it was canceled. */
  convert(markdown: string): Promise<Rendered | Failure | undefined>;
  /** Converts a text to the fragment of a share’s page, as `convert` does. */
  convertPage(markdown: string): Promise<RenderedPage | Failure | undefined>;
  /** Ends the running conversion, whose result isn't needed. */
  cancel(): void;
}

const load = (url: string): Promise<Worker> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(url, { type: 'module' });
    worker.onmessage = () => resolve(worker);
    worker.onerror = () => reject(new Error('The worker can’t be loaded'));
  });

/** Creates the converter of a page. Its worker is loaded with the first text, and replaced after one that took too long. */
export const createConverter = (url: string): Converter => {
  let loaded: Promise<Worker> | undefined;
  let latest = 0;
  /** Ends the running conversion. */
  let end = (_: Failure | undefined): void => {};

  const run = <Result>(
    worker: Worker,
    message: string | PageRequest,
  ): Promise<Result | Failure | undefined> =>
    new Promise((resolve) => {
      const finish = (result: Result | Failure | undefined) => {
        clearTimeout(timer);
        worker.onmessage = null;
        worker.onerror = null;
        end = () => {};
        resolve(result);
      };
      end = (result) => {
        worker.terminate();
        loaded = undefined;
        finish(result);
      };
      const timer = setTimeout(() => end('too-slow'), maxMs);
      worker.onmessage = ({ data }) => finish(data);
      worker.onerror = () => end('too-slow');
      worker.postMessage(message);
    });

  const cancel = (): void => {
    latest += 1;
    end(undefined);
  };

  const ask = async <Result>(
    message: string | PageRequest,
  ): Promise<Result | Failure | undefined> => {
    cancel();
    const mine = latest;
    loaded ??= load(url);
    const worker = await loaded.catch(() => undefined);
    if (mine !== latest) return undefined;
    if (worker) return run<Result>(worker, message);
    loaded = undefined;
    return 'unavailable';
  };
  return {
    cancel,
    convert: (markdown) => ask<Rendered>(markdown),
    convertPage: (markdown) => ask<RenderedPage>({ page: markdown }),
  };
};
