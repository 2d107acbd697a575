import { useRef, useState } from 'preact/hooks';
import { Icon } from '../../../../browser/components/icon.tsx';
import { lazily } from '../../../../browser/components/lazily.tsx';
import { useUniqueId } from '../../../../browser/data/unique-id.ts';
import type { IconName } from '../../../../layout/icons.ts';
import { documentsTexts as texts } from '../../texts.ts';
import type { FilterMenuProps } from './filter-menu.tsx';

const FilterMenu = lazily(async () => (await import('./filter-menu.tsx')).FilterMenu);

interface FilterProps extends Pick<FilterMenuProps, 'name' | 'chosen' | 'none'> {
  readonly icon: IconName;
}

/** A filter: a button with a menu, which is loaded when it is first opened. */
export const Filter = ({ icon, ...props }: FilterProps) => {
  const { name, chosen } = props;
  const title = texts.filters[name];
  const label = chosen ? texts.filterIs(title, chosen) : title;
  const id = useUniqueId();
  const [isOpen, setIsOpen] = useState(false);
  const popover = useRef<HTMLDivElement>(null);
  return (
    <>
      <button
        type="button"
        class={chosen ? 'chip on' : 'chip'}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        popovertarget={id}
      >
        <Icon name={icon} />
        <span class="cut">{chosen ?? title}</span>
      </button>
      <div
        popover="auto"
        id={id}
        ref={popover}
        class="menu choices"
        onToggle={({ newState }) => setIsOpen(newState === 'open')}
      >
        {isOpen && (
          <FilterMenu {...props} label={label} close={() => popover.current?.hidePopover()} />
        )}
      </div>
    </>
  );
};
