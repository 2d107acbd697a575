import { useRef, useState } from 'preact/hooks';
import type { IconName } from '../../layout/icons.ts';
import { afterRendering } from '../after-rendering.ts';
import { useUniqueId } from '../data/unique-id.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** An entry of a menu: a link or an action. */
export interface MenuItem {
  readonly label: string;
  readonly icon: IconName;
  readonly href?: string;
  readonly run?: () => unknown;
  /** Removes or ends something. */
  readonly isBad?: boolean;
  /** The key that does the same on the page, and while the menu is open unless it is a letter. */
  readonly shortcut?: string;
  /** Follows a line. */
  readonly startsGroup?: boolean;
  /** Whether it is the chosen one of several. */
  readonly isChosen?: boolean;
}

interface MenuProps {
  /** The name of its button. */
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** By default, three dots. */
  readonly icon?: IconName;
  /** By default, small. */
  readonly isLarge?: boolean;
  /** Shows a text, too: the button of a filter. */
  readonly chip?: { readonly text: string; readonly isOn: boolean };
  /** Shows a text, too, without a frame. */
  readonly text?: string;
  readonly onOpen?: () => unknown;
  readonly class?: string;
}

const menuItems = '[role^=menuitem]';

/** Moves the focus by arrows, Home, End and first letters. */
export const moveByKey = (event: KeyboardEvent): void => {
  const menu = event.currentTarget as HTMLElement;
  const items = [...menu.querySelectorAll<HTMLElement>(menuItems)];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const byLetter = (letter: string) =>
    [...items.slice(at + 1), ...items.slice(0, at + 1)].find((item) =>
      item.textContent?.trim().toLowerCase().startsWith(letter.toLowerCase()),
    );
  const targets: Readonly<Record<string, HTMLElement | undefined>> = {
    ArrowDown: items[(at + 1) % items.length],
    ArrowUp: items[(at - 1 + items.length) % items.length],
    Home: items[0],
    End: items.at(-1),
  };
  const { key, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey) return;
  if (key === 'Tab') menu.hidePopover();
  const target = targets[key] ?? (/^\S$/u.test(key) ? byLetter(key) : undefined);
  if (!target) return;
  event.preventDefault();
  event.stopPropagation();
  target.focus();
};

/** A button that opens a menu of actions. */
export const Menu = (props: MenuProps) => {
  const { label, items, icon = 'dots', isLarge = false, chip, text, onOpen, ...rest } = props;
  const id = useUniqueId();
  const [isOpen, setIsOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  /** Renders the entries before it opens, so that the browser focuses the first one as it opens. */
  const onBeforeToggle = ({ newState }: { readonly newState: string }) => {
    if (newState !== 'open') return;
    setIsOpen(true);
    onOpen?.();
  };
  const onToggle = ({ newState }: { readonly newState: string }) => {
    setIsOpen(newState === 'open');
    if (newState !== 'open') return;
    // A script may have opened it before its entries were there.
    afterRendering(() => {
      const { current } = menu;
      if (current?.contains(document.activeElement)) return;
      current?.querySelector<HTMLElement>(menuItems)?.focus();
    });
  };
  const choose = ({ run }: MenuItem) => {
    menu.current?.hidePopover();
    run?.();
  };
  const press = (event: KeyboardEvent) => {
    const { key } = event;
    const item = items.find(({ shortcut }) => key.length > 1 && key.startsWith(shortcut ?? '?'));
    if (!item) return moveByKey(event);
    event.preventDefault();
    choose(item);
  };
  const opens = {
    'aria-haspopup': 'menu',
    'aria-expanded': isOpen,
    popovertarget: id,
  } as const;
  return (
    <>
      {chip ? (
        <button type="button" class={chip.isOn ? 'chip on' : 'chip'} aria-label={label} {...opens}>
          <Icon name={icon} />
          <span class="cut">{chip.text}</span>
        </button>
      ) : (
        <Button
          kind="ghost"
          icon={icon}
          aria-label={label}
          {...(!text && { label })}
          {...(!isLarge && { size: 'sm' })}
          {...rest}
          {...opens}
        >
          {text}
        </Button>
      )}
      <div
        popover="auto"
        id={id}
        ref={menu}
        class="menu"
        role="menu"
        aria-label={label}
        onBeforeToggle={onBeforeToggle}
        onToggle={onToggle}
        onKeyDown={press}
      >
        {isOpen &&
          items.map((item, at) => {
            const content = (
              <>
                <Icon name={item.icon} />
                {item.label}
                {item.shortcut !== undefined && <kbd>{item.shortcut}</kbd>}
              </>
            );
            const attributes = {
              ...(item.isChosen === undefined
                ? { role: 'menuitem' as const }
                : { role: 'menuitemradio' as const, 'aria-checked': item.isChosen }),
              tabIndex: -1,
              autofocus: at === 0,
              class: item.isBad ? 'bad' : undefined,
              onClick: () => choose(item),
            } as const;
            return (
              <div key={item.label} role="none">
                {item.startsGroup && <hr />}
                {item.href === undefined ? (
                  <button type="button" {...attributes}>
                    {content}
                  </button>
                ) : (
                  <a href={item.href} {...attributes}>
                    {content}
                  </a>
                )}
              </div>
            );
          })}
      </div>
    </>
  );
};
