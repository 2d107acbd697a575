/** Where an element stands in one of its ancestors. */
interface Step {
  readonly parent: Element;
  /** The child of the parent that holds the element, and its position. */
  readonly branch: Element;
  readonly at: number;
}

/** What had the focus, and where it stood, from the inside out. */
interface Place {
  readonly element: HTMLElement;
  readonly steps: readonly Step[];
  /** Where the focus was before it came to another layer of the page. */
  readonly before: Place | undefined;
}

/** Returns the child of `body` that holds a place: the page, its toasts or a dialog. */
const getLayer = ({ steps }: Place): Element | undefined => steps.at(-1)?.branch;

const focusable =
  'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex="-1"])';

const findPlace = (element: HTMLElement, last?: Place): Place => {
  const steps: Step[] = [];
  for (let branch: Element = element; branch !== document.body; ) {
    const parent = branch.parentElement;
    if (!parent) break;
    steps.push({ parent, branch, at: [...parent.children].indexOf(branch) });
    branch = parent;
  }
  const place = { element, steps, before: last };
  for (let one = last; one; one = one.before) {
    if (getLayer(one) === getLayer(place)) return { ...place, before: one.before };
  }
  return place;
};

const isUsable = (element: Element): boolean =>
  element.isConnected && element.checkVisibility() && !element.matches(':disabled, [inert] *');

const focus = (element: Element | null | undefined): boolean => {
  if (!(element instanceof HTMLElement) || !isUsable(element)) return false;
  element.focus({ preventScroll: true });
  return document.activeElement === element;
};

/** Focuses the same control of what stands next to a branch that is gone, or else something in it. */
const focusBeside = (
  { parent, branch, at }: Step,
  path: readonly number[],
  tag: string,
): boolean => {
  const beside = [parent.children[at], parent.children[at - 1]].filter(
    (one) => one !== undefined && one !== branch && one.tagName === branch.tagName,
  );
  return beside.some((one) => {
    const same = path.reduce<Element | undefined>((from, index) => from?.children[index], one);
    if (same?.tagName === tag && focus(same)) return true;
    return [...(one?.querySelectorAll(focusable) ?? [])].some(focus);
  });
};

/** Focuses the field that adds to a list, or its heading. */
const focusStart = (part: Element): boolean => {
  const fields = part.querySelectorAll(part.matches('fieldset') ? focusable : '[role=combobox]');
  if ([...fields].some(focus)) return true;
  const heading = part.querySelector<HTMLElement>(':is(h1, h2, h3):not(:scope section *)');
  if (!heading) return false;
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1;
  return focus(heading);
};

/** Focuses what the user works on: a dialog, the drawer or the content. */
const focusContent = (): void => {
  const parts = ['dialog:modal', '.drawer[open]'].map((one) => document.querySelector(one));
  if (!parts.some((part) => part && focusStart(part))) focus(document.querySelector('main'));
};

/** Focuses what is nearest to a place in its own layer. Returns whether there is something. */
const focusNear = ({ element, steps }: Place): boolean => {
  const path: number[] = [];
  for (const step of steps) {
    const { parent, at } = step;
    if (parent === document.body) break;
    if (isUsable(parent)) {
      if (focusBeside(step, path, element.tagName)) return true;
      const next = parent.children[at];
      if (next?.matches('section') && focusStart(next)) return true;
      if (parent.matches('section, fieldset, dialog, main') && focusStart(parent)) return true;
    }
    path.unshift(at);
  }
  return false;
};

const isInToast = ({ steps }: Place): boolean => steps.some(({ parent }) => parent.id === 'toasts');

const restore = (place: Place): void => {
  const { before } = place;
  if (before && isInToast(place)) {
    if (!focus(before.element)) restore(before);
  } else if (!focusNear(place)) focusContent();
};

/**
 * Keeps the focus on the page when what has it is removed, hidden or disabled: it goes to the same control of the next row,
 * else of the one before, else to the field or heading of the list. From a toast it goes back to where it was. What the user
 * leaves stays left.
 */
export const startFocusKeeper = (): void => {
  const keep = (lost: Place): void => {
    if (document.activeElement === document.body && !isUsable(lost.element)) restore(lost);
  };
  const { activeElement } = document;
  let place = activeElement instanceof HTMLElement ? findPlace(activeElement) : undefined;
  const check = (): void => {
    if (!place || document.activeElement !== document.body) return;
    const lost = place;
    place = undefined;
    // From a popover that closes, the browser leads back to what opened it.
    if (lost.element.closest('[popover]')) setTimeout(keep, 0, lost);
    else keep(lost);
  };
  addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) place = findPlace(target, place);
  });
  // Something that is removed loses the focus before it is gone.
  addEventListener('focusout', () => queueMicrotask(check));
  const observer = new MutationObserver(check);
  const attributeFilter = ['disabled', 'hidden', 'inert', 'open'];
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter });
};
