import type { ComponentChildren } from 'preact';
import { Icon } from '../../../../browser/components/icon.tsx';
import { useUniqueId } from '../../../../browser/data/unique-id.ts';
import type { IconName } from '../../../../layout/icons.ts';

interface SetCardProps {
  readonly id?: string;
  readonly class?: string;
  readonly title: string;
  readonly about?: string;
  /** Beside the title. */
  readonly action?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A card whose head is a title and a sentence. */
export const SetCard = ({
  id: given,
  class: extra,
  title,
  about,
  action,
  children,
}: SetCardProps) => {
  const own = useUniqueId();
  const id = given ?? own;
  return (
    <section
      class={extra === undefined ? 'card setcard' : `card setcard ${extra}`}
      aria-labelledby={id}
    >
      <header>
        <div class="grow">
          <h2 id={id} tabIndex={-1}>
            {title}
          </h2>
          {about !== undefined && <p>{about}</p>}
        </div>
        {action}
      </header>
      {children}
    </section>
  );
};

interface SetRowProps {
  readonly icon: IconName;
  /** In place of the icon, such as the sign of a provider. */
  readonly logo?: ComponentChildren;
  readonly title: ComponentChildren;
  /** Below the title, a line each. */
  readonly about: ComponentChildren;
  /** The buttons. */
  readonly children?: ComponentChildren;
}

/** What a row of a card shows: an icon, what it is about, and what can be done with it. */
export const SetRow = ({ icon, logo, title, about, children }: SetRowProps) => (
  <>
    <span class="kind">{logo ?? <Icon name={icon} />}</span>
    <div>
      {title}
      <small>{about}</small>
    </div>
    <div class="row">{children}</div>
  </>
);
