/** How far the pointer moves before it drags. px. */
const threshold = 5;

/** What a drag does. */
interface Drag {
  readonly move: (event: PointerEvent) => unknown;
  /** Called when it ends, after `end`. */
  readonly drop: (event: PointerEvent) => unknown;
  /** Called when it ends or is canceled. */
  readonly end: () => unknown;
  /** Called instead of all others if the pointer hasn’t moved. */
  readonly click?: () => unknown;
}

/** Keeps the click that follows a drag from opening what is under the pointer. */
const ignoreClick = (): void => {
  const abort = new AbortController();
  const stop = (event: MouseEvent) => event.stopPropagation();
  addEventListener('click', stop, { capture: true, signal: abort.signal });
  setTimeout(() => abort.abort());
};

/** Follows the mouse or a pen from where it is pressed. Escape cancels. Touch scrolls instead. */
export const follow = (down: PointerEvent, { move, drop, end, click }: Drag): void => {
  const abort = new AbortController();
  const { signal } = abort;
  let isDragging = false;
  const stop = () => {
    abort.abort();
    document.body.classList.remove('dragging');
    if (isDragging) end();
  };
  addEventListener(
    'pointermove',
    (event) => {
      const far = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY);
      if (!isDragging && far < threshold) return;
      isDragging = true;
      document.body.classList.add('dragging');
      move(event);
    },
    { signal },
  );
  addEventListener(
    'pointerup',
    (event) => {
      const wasDragging = isDragging;
      stop();
      if (!wasDragging) {
        click?.();
        return;
      }
      ignoreClick();
      drop(event);
    },
    { signal },
  );
  addEventListener('pointercancel', stop, { signal });
  const cancel = () => {
    if (isDragging) addEventListener('pointerup', ignoreClick, { once: true });
    stop();
  };
  addEventListener('keydown', ({ key }) => key === 'Escape' && cancel(), { signal });
};

/** Returns whether a press can begin a drag. */
export const canDrag = ({ button, pointerType }: PointerEvent): boolean =>
  button === 0 && pointerType !== 'touch';

/** Returns the innermost element of a selector at the pointer. */
export const findAt = ({ clientX, clientY }: PointerEvent, selector: string) =>
  document
    .elementsFromPoint(clientX, clientY)
    .find((one): one is HTMLElement => one instanceof HTMLElement && one.matches(selector));
