import { type ComponentChildren, render, type VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useUniqueId } from '../data/unique-id.ts';
import { Button } from './button.tsx';
import { componentTexts as texts } from './texts.ts';

interface DialogProps {
  readonly title: string;
  /** Called when it is dismissed: by Esc, too. */
  readonly onClose: () => unknown;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/**
 * A dialog over the page, open while it is rendered. The focus returns to what had it before. If that is gone, such as a
 * toast, it goes to the open drawer or the content.
 */
export const Dialog = ({ title, onClose, class: extra, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useUniqueId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      const isThere =
        opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
      const fallback = () =>
        document.querySelector<HTMLElement>('.drawer[open] h2') ?? document.querySelector('main');
      (isThere ? opener : fallback())?.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={extra === undefined ? 'modal' : `modal ${extra}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
};

/** Opens a dialog that no page renders. `toDialog` gets how to take it away again. */
export const openDialog = (toDialog: (close: () => void) => VNode): void => {
  const place = document.createElement('div');
  const close = () => {
    render(null, place);
    place.remove();
  };
  document.body.append(place);
  render(toDialog(close), place);
};

interface Question {
  /** Names the thing and the count. */
  readonly title: string;
  readonly text: string;
  /** The label of the button that does it. */
  readonly action: string;
}

/** Asks before something that can’t be undone. Returns whether the user agreed. */
export const confirm = ({ title, text, action }: Question): Promise<boolean> =>
  new Promise((resolve) => {
    openDialog((close) => {
      const answer = (isAgreed: boolean) => {
        close();
        resolve(isAgreed);
      };
      return (
        <Dialog title={title} onClose={() => answer(false)}>
          <p class="sub mt0">{text}</p>
          <div class="acts">
            <Button autofocus onClick={() => answer(false)}>
              {texts.cancel}
            </Button>
            <Button kind="danger" onClick={() => answer(true)}>
              {action}
            </Button>
          </div>
        </Dialog>
      );
    });
  });
