import type { ComponentChildren } from 'preact';
import { useUniqueId } from '../../../../browser/data/unique-id.ts';

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
