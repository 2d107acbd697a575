import { singleKeys } from './preferences.ts';
import { hasChanges } from './unsaved.ts';

/** How long single keys do nothing after the focus was lost: who typed there may still be typing. ms. */
const afterLossMs = 1_000;

/** When the focus was lost to the page, by `performance.now`. */
let lostAt = Number.NEGATIVE_INFINITY;
/** What had the focus last. */
let focused: EventTarget | null = null;
/** The dialogs with fields that are about to open. */
let opening = 0;

addEventListener('focusin', ({ target }) => {
  focused = target;
  lostAt = Number.NEGATIVE_INFINITY;
});
addEventListener('focusout', ({ relatedTarget }) => {
  if (relatedTarget === null) lostAt = performance.now();
});

/** Not all browsers tell that the focus was lost with a removed element: then this key is the first to show it. */
const noteRemoval = (): void => {
  const isLost = document.activeElement === document.body;
  if (isLost && focused instanceof Node && !focused.isConnected) lostAt = performance.now();
  focused = null;
};

/** Lets no single key act until a dialog with a field is open, whose code is loaded first. */
export const openWithField = async <Opened>(open: () => Promise<Opened>): Promise<Opened> => {
  opening += 1;
  try {
    return await open();
  } finally {
    opening -= 1;
  }
};

const isField = (target: EventTarget | undefined): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('input:not([type=checkbox], [type=radio]), textarea, select'));

/** Where keys belong to what is open over the page. */
const overlays = 'dialog:modal:not(.drawer), [role=menu]:popover-open';

interface KeyScope {
  /** Whether the key belongs to the open drawer: it acts there outside of fields, also while something is unsaved. */
  readonly isOfDrawer?: boolean;
}

/** Returns whether single keys of the page rest: something is unsaved, a drawer open, or the focus was lost just now. */
const areResting = (): boolean => {
  noteRemoval();
  const wasLost = performance.now() - lostAt < afterLossMs;
  return wasLost || hasChanges() || document.querySelector('dialog.drawer[open]') !== null;
};

/**
 * Returns whether a key may do something on the page: not in fields, not with a command key. A single character acts
 * only if the user wants that, nothing is unsaved, nothing is open over or beside the page, and the focus was not lost
 * within a second.
 */
export const mayAct = (event: KeyboardEvent, { isOfDrawer = false }: KeyScope = {}): boolean => {
  const { defaultPrevented, isComposing, metaKey, ctrlKey, altKey, key } = event;
  if (defaultPrevented || isComposing || metaKey || ctrlKey || altKey) return false;
  // The path shows the field even inside a shadow root.
  if (opening > 0 || isField(event.composedPath()[0])) return false;
  if (key.length > 1 || key === ' ') return true;
  return singleKeys.read() && !document.querySelector(overlays) && (isOfDrawer || !areResting());
};
