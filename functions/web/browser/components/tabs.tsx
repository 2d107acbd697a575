import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Returns whether a click on a link stays on the page: no key asks for another tab or window. */
export const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;

interface Tab {
  readonly href: string;
  readonly label: string;
  readonly count?: number | undefined;
  readonly isCurrent: boolean;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** Shows the tab without loading the page again. */
  readonly onOpen: (href: string) => unknown;
}

/** The parts of a page, each with an address of its own. */
export const Tabs = ({ label, tabs, onOpen }: TabsProps) => {
  const place = useRef<HTMLElement>(null);
  const current = tabs.findIndex(({ isCurrent }) => isCurrent);
  // Where they don’t fit, the current one is in the middle.
  useLayoutEffect(() => {
    const bar = place.current;
    const tab = bar?.children[current]?.getBoundingClientRect();
    if (!bar || !tab) return;
    const { left, width } = bar.getBoundingClientRect();
    bar.scrollLeft += tab.left + tab.width / 2 - left - width / 2;
  }, [current]);
  return (
    <nav class="tabs" aria-label={label} ref={place}>
      {tabs.map((tab) => (
        <a
          key={tab.href}
          href={tab.href}
          aria-current={tab.isCurrent ? 'page' : undefined}
          onClick={(event) => {
            if (!isPlainClick(event)) return;
            event.preventDefault();
            onOpen(tab.href);
          }}
        >
          {tab.label}
          {tab.count !== undefined && <span class="count">{tab.count}</span>}
        </a>
      ))}
    </nav>
  );
};

interface SegmentsProps<Value extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly label: ComponentChildren }[];
  readonly value: Value;
  readonly onChange: (value: Value) => unknown;
  /** Whether the value that it has can be chosen again. */
  readonly canRepeat?: boolean;
}

/** A choice of two to four values. */
export const Segments = <Value extends string>(props: SegmentsProps<Value>) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset has a look of its own
  <span class="seg" role="group" aria-label={props.label}>
    {props.options.map(({ value, label }) => (
      <button
        key={value}
        type="button"
        aria-pressed={value === props.value}
        onClick={() => (props.canRepeat || value !== props.value) && props.onChange(value)}
      >
        {label}
      </button>
    ))}
  </span>
);
