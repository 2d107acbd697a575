import { ApiError, unreachable } from '../../../../browser/client/api-error.ts';
import { orReload } from '../../../../browser/shell/reload.ts';
import { signedIn } from '../../../../browser/shell/session.ts';
import { byId, shareButton } from './elements.ts';
import { clearFailures, findContentFault, refuseContent } from './failures.ts';
import { failure } from './notice.ts';
import { percent } from './percent.ts';
import { keepDraft, leaveForLogin } from './state.ts';

/** Loads what sends, and shows the link or a failure, before anything is sent, so that neither can get lost. */
const loadSending = () =>
  orReload(Promise.all([import('./sending/send.ts'), import('./sending/refusal.ts')])).catch(
    (cause) => {
      throw unreachable(cause);
    },
  );

type Send = typeof import('./sending/send.ts');

/** Runs an action unless another runs, and shows why it failed. */
const run = async (act: (send: Send) => Promise<void>): Promise<void> => {
  if (shareButton.ariaBusy === 'true') return;
  shareButton.ariaBusy = 'true';
  let show = ({ message: text }: ApiError): void => {
    failure.value = { text };
  };
  try {
    const [send, { showRefusal }] = await loadSending();
    show = showRefusal;
    await act(send);
  } catch (error) {
    keepDraft();
    if (!(error instanceof ApiError)) throw error;
    show(error);
  } finally {
    shareButton.ariaBusy = null;
    percent.value = undefined;
  }
};

/** Ends the edited share. */
export const endNow = (): Promise<void> => run(({ endShare }) => endShare());

/** Creates or updates the share, and shows errors beside their fields. */
export const share = async (): Promise<void> => {
  if (shareButton.ariaBusy === 'true' || shareButton.ariaDisabled === 'true') return;
  clearFailures();
  byId('end-offer').hidden = true;
  const wrong = findContentFault();
  if (wrong !== undefined) return refuseContent(wrong);
  // Without a saved draft, stay here: the user may have signed in elsewhere.
  if (!signedIn && leaveForLogin()) return;
  await run(({ sendShare }) => sendShare());
};
