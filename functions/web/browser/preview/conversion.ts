import type { PageRequest, Rendered, RenderedPage } from './messages.ts';

/** The longest time for a conversion, ms. The server allows a second of CPU, and a phone may be ten times slower. */
const maxMs = 10_000;

/** What a conversion may fail with. */
export type Failure = 'unavailable' | 'too-slow';

/** What the worker makes of a message. */
type Converted<Message> = (Message extends string ? Rendered : RenderedPage) | Failure | undefined;

/** A converter of Markdown in a worker. */
export interface Converter {
  /**
   * Converts a text, or as a request to the fragment of a share’s page. Resolves to `undefined` if a newer one follows or it was
   * canceled.
   */
  convert<Message extends string | PageRequest>(message: Message): Promise<Converted<Message>>;
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

  const run = <Message>(worker: Worker, message: Message): Promise<Converted<Message>> =>
    new Promise((resolve) => {
      const finish = (result: Converted<Message>) => {
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
  return {
    cancel,
    convert: async (message) => {
      cancel();
      const mine = latest;
      loaded ??= load(url);
      const worker = await loaded.catch(() => undefined);
      if (mine !== latest) return undefined;
      if (worker) return run(worker, message);
      loaded = undefined;
      return 'unavailable';
    },
  };
};
