import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useUniqueId } from '../data/unique-id.ts';
import { leave } from '../shell/unsaved.ts';
import { Button } from './button.tsx';
import { componentTexts as texts } from './texts.ts';
import { moveToasts } from './toast.tsx';

/** From this width on, a drawer stands beside the list. */
const wide = matchMedia('(min-width: 75rem)');

interface DrawerProps {
  readonly title: string;
  /** Shows the title, if not as it is. */
  readonly heading?: ComponentChildren;
  /** Beside the title, such as a button for the next record. */
  readonly actions?: ComponentChildren;
  /** The parts of the record, as links. */
  readonly tabs?: ComponentChildren;
  readonly footer?: ComponentChildren;
  /** Whether it is for something new, whose first field gets the focus, instead of the heading. */
  readonly isNew?: boolean;
  /** Called when it is dismissed: by Esc, too, and once the user agrees if that loses changes. */
  readonly onClose: () => unknown;
  readonly children: ComponentChildren;
}

/**
 * Shows a record beside its list, or over the page where that is too narrow. Its parent has the class `split` while it is
 * rendered. The focus goes into it, and later back to what had it before, or to the content.
 */
export const Drawer = ({
  title,
  heading,
  actions,
  tabs,
  footer,
  isNew,
  onClose,
  children,
}: DrawerProps) => {
  const drawer = useRef<HTMLDialogElement>(null);
  const titleId = useUniqueId();
  useEffect(() => {
    const opener = document.activeElement;
    const open = () => {
      const focused = document.activeElement;
      drawer.current?.close();
      if (wide.matches) drawer.current?.show();
      else drawer.current?.showModal();
      moveToasts(wide.matches ? document.body : drawer.current);
      const isInside = focused instanceof HTMLElement && drawer.current?.contains(focused);
      const start = isNew && drawer.current?.querySelector<HTMLElement>('form .in');
      if (isInside) focused.focus();
      else (start || document.getElementById(titleId))?.focus();
    };
    open();
    wide.addEventListener('change', open);
    return () => {
      wide.removeEventListener('change', open);
      moveToasts(document.body);
      const isThere =
        opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
      (isThere ? opener : document.querySelector('main'))?.focus();
    };
  }, []);
  const latest = useRef(onClose);
  latest.current = onClose;
  const dismiss = () => leave(() => latest.current());
  useEffect(() => {
    /** Closes it from the list beside it, unless the key has something else to close or to clear there. */
    const closeFromList = (event: KeyboardEvent) => {
      const { key, target, defaultPrevented } = event;
      if (key !== 'Escape' || defaultPrevented) return;
      if (document.querySelector(':popover-open, dialog:modal')) return;
      if (target instanceof HTMLInputElement && target.type === 'search' && target.value) return;
      event.preventDefault();
      dismiss();
    };
    addEventListener('keydown', closeFromList);
    return () => removeEventListener('keydown', closeFromList);
  }, []);
  const closeByKey = (event: KeyboardEvent) => {
    // An open menu inside closes first.
    if (event.key !== 'Escape' || drawer.current?.querySelector(':popover-open')) return;
    event.preventDefault();
    event.stopPropagation();
    dismiss();
  };
  return (
    <dialog
      ref={drawer}
      class="drawer"
      aria-labelledby={titleId}
      onKeyDown={closeByKey}
      onCancel={(event) => event.preventDefault()}
    >
      <header>
        <h2 id={titleId} tabIndex={-1} class="cut" dir="auto" title={title}>
          {heading ?? title}
        </h2>
        <span class="row end">
          {actions}
          <Button kind="ghost" size="sm" icon="x" label={texts.close} onClick={dismiss} />
        </span>
      </header>
      {tabs}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <div class="fill" tabIndex={0}>
        {children}
      </div>
      {footer && <footer>{footer}</footer>}
    </dialog>
  );
};
