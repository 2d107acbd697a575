import { componentTexts as texts } from '../components/texts.ts';
import { toast } from '../components/toast.tsx';

interface UndoableAction {
  /** What has been done, as the page shows it already. */
  readonly text: string;
  /** Does it for good. `keepalive` is set while the page is being left. */
  readonly commit: (options: { readonly keepalive: boolean }) => Promise<unknown>;
  /** Shows again what was there: the user took it back, or it failed. */
  readonly putBack: () => unknown;
  /** Says what failed. */
  readonly describeFailure: (error: Error) => string;
}

/**
 * Does something that the page shows at once and that the user can take back while the toast is there. It is sent when
 * the toast is gone, or when the page is left.
 */
export const doUndoably = ({ text, commit, putBack, describeFailure }: UndoableAction): void => {
  const send = async (keepalive: boolean) => {
    removeEventListener('pagehide', sendNow);
    try {
      await commit({ keepalive });
    } catch (error) {
      putBack();
      const again = () => send(false);
      toast({
        text: describeFailure(error as Error),
        kind: 'bad',
        action: { label: texts.tryAgain, run: again },
      });
    }
  };
  const sendNow = () => {
    dismiss();
    void send(true);
  };
  const takeBack = () => {
    removeEventListener('pagehide', sendNow);
    putBack();
  };
  addEventListener('pagehide', sendNow);
  const dismiss = toast({
    text,
    action: { label: texts.undo, run: takeBack },
    onGone: () => void send(false),
  });
};
