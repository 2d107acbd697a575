import type { ComponentChildren } from 'preact';
import { Failure } from '../../../../browser/components/notice.tsx';
import { Skeleton } from '../../../../browser/components/skeleton.tsx';
import type { Source } from '../../../../browser/data/source.ts';

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
    if (failure.value !== undefined) {
      return (
        <div class="in-card">
          <Failure error={failure.value} again={again} />
        </div>
      );
    }
    return data.value === undefined ? <Skeleton lines={lines} /> : children(data.value);
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
