import { signal } from '@preact/signals';
import { render } from 'preact';
import { commonTexts as texts } from '../texts.ts';
import { Icon } from './icon.tsx';

/** A short message at the edge of the page. */
export interface Toast {
  readonly text: string;
  /** A failure stays until it is dismissed. */
  readonly kind?: 'bad';
  readonly action?: { readonly label: string; run(): unknown };
  /** Runs once when the toast is gone without its action. */
  readonly onGone?: () => void;
}

interface ShownToast extends Toast {
  readonly id: number;
}

/** How long a toast is shown. It waits while the pointer or the focus is in it. ms. */
export const toastMs = 6_000;
/** The maximum number of toasts at once. The oldest makes room: a failure only for other failures. */
const maxToasts = 3;

const shown = signal<readonly ShownToast[]>([]);
const timers = new Map<number, ReturnType<typeof setTimeout>>();
let lastId = 0;

const remove = (one: ShownToast): boolean => {
  if (!shown.value.includes(one)) return false;
  clearTimeout(timers.get(one.id));
  timers.delete(one.id);
  shown.value = shown.value.filter((other) => other !== one);
  return true;
};

const dismiss = (one: ShownToast): void => {
  if (remove(one)) one.onGone?.();
};

const startTimer = (one: ShownToast): void => {
  if (one.kind === 'bad') return;
  clearTimeout(timers.get(one.id));
  timers.set(
    one.id,
    setTimeout(() => dismiss(one), toastMs),
  );
};

const stopTimer = ({ id }: ShownToast): void => clearTimeout(timers.get(id));

const ToastView = ({ toast: one }: { readonly toast: ShownToast }) => {
  const { text, kind, action } = one;
  const act = () => {
    remove(one);
    action?.run();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it waits while its buttons may be used
    <div
      class={kind === 'bad' ? 'toast bad' : 'toast'}
      role={kind === 'bad' ? 'alert' : 'status'}
      onMouseEnter={() => stopTimer(one)}
      onMouseLeave={() => startTimer(one)}
      onFocusIn={() => stopTimer(one)}
      onFocusOut={() => startTimer(one)}
    >
      {kind === 'bad' && <Icon name="alert" />}
      <span class="grow">{text}</span>
      {action && (
        <button type="button" onClick={act}>
          {action.label}
        </button>
      )}
      <button type="button" class="icon" aria-label={texts.dismiss} onClick={() => dismiss(one)}>
        <Icon name="x" />
      </button>
    </div>
  );
};

const Toasts = () => (
  <>
    {shown.value.map((one) => (
      <ToastView key={one.id} toast={one} />
    ))}
  </>
);

let isStarted = false;
let place: HTMLElement | null;

/** Returns where toasts are, also while it isn’t in the document. */
const findPlace = (): HTMLElement | null => {
  place ??= document.getElementById('toasts');
  return place;
};

/** Moves the toasts into a modal dialog, which makes all else on the page inert, or back to the body. */
export const moveToasts = (to: HTMLElement | null): void => {
  const toasts = findPlace();
  if (toasts && to && toasts.parentElement !== to) to.append(toasts);
};

/** Shows a message. Returns how to take it away early, without `onGone`. */
export const toast = (message: Toast): (() => void) => {
  if (!isStarted) {
    isStarted = true;
    const toasts = findPlace();
    if (toasts) render(<Toasts />, toasts);
  }
  lastId += 1;
  const one = { ...message, id: lastId };
  if (shown.value.length >= maxToasts) {
    const oldest = shown.value.find(({ kind }) => kind !== 'bad') ?? shown.value[0];
    if (oldest) dismiss(oldest);
  }
  shown.value = [...shown.value, one];
  startTimer(one);
  return () => {
    remove(one);
  };
};
