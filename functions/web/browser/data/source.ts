import { type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** Data that loads and fails by itself. */
export interface Source<Data> {
  readonly data: Signal<Data | undefined>;
  /** The last failure. */
  readonly failure: ReadonlySignal<Error | undefined>;
  /** Loads the data again. Meanwhile, what is shown stays, a failure too. Ignores all responses but the latest. */
  load(): Promise<void>;
}

/** Creates a source from a read of the API. */
export const createSource = <Data>(read: () => Promise<Data>): Source<Data> => {
  const data = signal<Data | undefined>(undefined);
  const failure = signal<Error | undefined>(undefined);
  let latest = 0;
  const load = async () => {
    latest += 1;
    const own = latest;
    try {
      const next = await read();
      if (own !== latest) return;
      data.value = next;
      failure.value = undefined;
    } catch (error) {
      if (own === latest) failure.value = error as Error;
    }
  };
  return { data, failure, load };
};
