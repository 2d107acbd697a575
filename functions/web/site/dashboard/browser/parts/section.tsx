import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { dashboardTexts as texts } from '../../texts.ts';

/** Data that loads and fails by itself. */
export interface Source<Data> {
  readonly data: Signal<Data | undefined>;
  /** The message of the last failure. */
  readonly failure: ReadonlySignal<string | undefined>;
  /** Loads the data again. Meanwhile, what is shown stays, a failure too. Ignores all responses but the latest. */
  load(): Promise<void>;
}

/** Creates a source from a read of the API. */
export const createSource = <Data,>(read: () => Promise<Data>): Source<Data> => {
  const data = signal<Data | undefined>(undefined);
  const failure = signal<string | undefined>(undefined);
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
      if (own === latest) failure.value = (error as Error).message;
    }
  };
  return { data, failure, load };
};

const Failed = ({ message, again }: { readonly message: string; again(): void }) => (
  <div class="in-card">
    <p class="note bad" role="alert">
      {message}
      <button type="button" class="btn sm" onClick={again}>
        {texts.again}
      </button>
    </p>
  </div>
);

/** Lines in the place of a list that is on its way. */
const Placeholder = ({ lines }: { readonly lines: number }) => (
  <ul class="list" aria-hidden="true">
    {Array.from({ length: lines }, (_, at) => (
      <li key={at}>
        <span class="stack grow placeholder">
          <span class="sk b" />
          <span class="sk a" />
        </span>
      </li>
    ))}
  </ul>
);

interface SectionProps<Data> {
  readonly id: string;
  readonly title: string;
  /** Beside the title. */
  readonly beside?: ComponentChildren;
  readonly source: Source<Data>;
  /** How many lines it has before its data is there. */
  readonly lines: number;
  children(data: Data): ComponentChildren;
}

/** A card of the dashboard that shows its data, or says why it can't. */
export const Section = <Data,>(props: SectionProps<Data>) => {
  const { id, title, beside, source, lines, children } = props;
  const { data, failure } = source;
  const again = async () => {
    await source.load();
    if (source.failure.value === undefined) document.getElementById(`${id}-title`)?.focus();
  };
  const content = () => {
    if (failure.value !== undefined) return <Failed message={failure.value} again={again} />;
    return data.value === undefined ? <Placeholder lines={lines} /> : children(data.value);
  };
  return (
    <section
      class="card"
      id={id}
      aria-labelledby={`${id}-title`}
      aria-busy={data.value === undefined && failure.value === undefined}
    >
      <header>
        <h2 id={`${id}-title`} tabIndex={-1}>
          {title}
        </h2>
        {beside}
      </header>
      {content()}
    </section>
  );
};

/** What a section says where there is nothing to show. */
export const Nothing = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="in-card mute small">{children}</p>
);
