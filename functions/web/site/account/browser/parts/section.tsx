import type { ComponentChildren } from 'preact';
import { Failure } from '../../../../browser/components/notice.tsx';
import { Skeleton } from '../../../../browser/components/skeleton.tsx';
import { useUniqueId } from '../../../../browser/components/unique-id.ts';
import type { Source } from '../../../../browser/data/source.ts';

interface SectionProps {
  readonly title: string;
  readonly about?: ComponentChildren;
  /** Beside the title. */
  readonly action?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A card with a title. */
export const Section = ({ title, about, action, children }: SectionProps) => {
  const id = useUniqueId();
  return (
    <section class="card" aria-labelledby={id}>
      <header>
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        {action && <span class="end">{action}</span>}
      </header>
      {about !== undefined && <p class="in-card sub small">{about}</p>}
      {children}
    </section>
  );
};

interface LoadedProps<Data> {
  readonly source: Source<Data>;
  /** How many lines are expected. */
  readonly lines: number;
  children(data: Data): ComponentChildren;
}

/** What a source has loaded, or why it couldn’t. */
export const Loaded = <Data,>({ source, lines, children }: LoadedProps<Data>) => {
  const { data, failure } = source;
  return (
    <>
      {failure.value !== undefined && (
        <div class="in-card">
          <Failure error={failure.value} again={source.load} />
        </div>
      )}
      {data.value !== undefined && children(data.value)}
      {data.value === undefined && failure.value === undefined && <Skeleton lines={lines} />}
    </>
  );
};
