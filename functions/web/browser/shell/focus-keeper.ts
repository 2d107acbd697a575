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
}

const focusable =
  'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex="-1"])';

const findPlace = (element: HTMLElement): Place => {
  const steps: Step[] = [];
  for (let branch: Element = element; branch !== document.body; ) {
    const parent = branch.parentElement;
    if (!parent) break;
    steps.push({ parent, branch, at: [...parent.children].indexOf(branch) });
    branch = parent;
  }
  return { element, steps };
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

const restore = ({ element, steps }: Place): void => {
  const path: number[] = [];
  for (const step of steps) {
    const { parent, at } = step;
    if (parent === document.body) break;
    if (isUsable(parent)) {
      if (focusBeside(step, path, element.tagName)) return;
      const next = parent.children[at];
      if (next?.matches('section') && focusStart(next)) return;
      if (parent.matches('section, fieldset, dialog, main') && focusStart(parent)) return;
    }
    path.unshift(at);
  }
  focus(document.querySelector('main'));
};

/**
 * Keeps the focus on the page when what has it is removed, hidden or disabled: it goes to the same control of the next row,
 * else of the one before, else to the field or heading of the list. What the user leaves stays left.
 */
export const startFocusKeeper = (): void => {
  const { activeElement } = document;
  let place = activeElement instanceof HTMLElement ? findPlace(activeElement) : undefined;
  const check = (): void => {
    if (!place || document.activeElement !== document.body) return;
    const lost = place;
    place = undefined;
    if (!isUsable(lost.element)) restore(lost);
  };
  addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) place = findPlace(target);
  });
  // Something that is removed loses the focus before it is gone.
  addEventListener('focusout', () => queueMicrotask(check));
  const observer = new MutationObserver(check);
  const attributeFilter = ['disabled', 'hidden', 'inert', 'open'];
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter });
};
