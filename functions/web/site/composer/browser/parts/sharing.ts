import { signal } from '@preact/signals';
import { ApiError, unreachable } from '../../../../browser/client/api-error.ts';
import { createClient } from '../../../../browser/client/client.ts';
import type { Data } from '../../../../browser/client/endpoints.ts';
import { withProgress } from '../../../../browser/client/progress.ts';
import { api as sessionApi } from '../../../../browser/shell/api.ts';
import { orReload } from '../../../../browser/shell/reload.ts';
import { signedIn } from '../../../../browser/shell/session.ts';
import { countContentBytes, getContent, language } from './content.ts';
import { byId, controls, shareButton } from './elements.ts';
import { clearFailures, findContentFault, refuseContent, showDetails } from './failures.ts';
import { failure } from './notice.ts';
import { findMissing, getOptions } from './options.ts';
import { showEnded } from './page-states.ts';
import { editId, endDraft, getStoredVersion, keepDraft, leaveForLogin } from './state.ts';

/** The size from which progress is shown. Bytes. */
const largeBytes = 100_000;

/** Visitors have no session to sign in to again: they are told to sign in elsewhere. */
const api = signedIn ? sessionApi : createClient();

/** How much was sent, in percent; `undefined` while nothing large is. */
export const percent = signal<number | undefined>(undefined);

/** Loads what shows the link or a failure before anything is sent, so that neither can get lost. */
const loadResult = () =>
  orReload(Promise.all([import('./result/result.tsx'), import('./result/refusal.ts')])).catch(
    (cause) => {
      throw unreachable(cause);
    },
  );

const showFailure = async (error: unknown): Promise<void> => {
  if (!(error instanceof ApiError)) throw error;
  const loaded = await import('./result/refusal.ts').catch(() => undefined);
  if (loaded) loaded.showRefusal(error);
  else failure.value = { text: error.message };
};

/** Runs an action unless another runs, and shows why it failed. */
const run = async (act: () => Promise<void>): Promise<void> => {
  if (shareButton.ariaBusy === 'true') return;
  shareButton.ariaBusy = 'true';
  try {
    await act();
  } catch (error) {
    keepDraft();
    await showFailure(error);
  } finally {
    shareButton.ariaBusy = null;
    percent.value = undefined;
  }
};

/** Ends the edited share. */
export const endNow = (): Promise<void> =>
  run(async () => {
    await api.call('POST /api/share/{id}/end', { params: { id: editId ?? '' } });
    endDraft();
    showEnded();
  });

const toBody = () => ({
  content: getContent(),
  language: language.value,
  ...getOptions(editId !== undefined),
});

/** The last body and its key: repeating it after a lost response creates no second share. */
let last = { body: '', key: '' };

/** Without a key for generated passwords, which only the first response contains. */
const getKey = (body: object): string | false => {
  if (controls.passwordMode.value === 'random') return false;
  const text = JSON.stringify(body);
  if (last.body !== text) last = { body: text, key: crypto.randomUUID() };
  return last.key;
};

type Stored = Data<'POST /api/share'> | Data<'PUT /api/share/{id}'>;

const send = (): Promise<Stored> => {
  const body = toBody();
  const isLarge = countContentBytes() >= largeBytes;
  const transport = {
    fetch: withProgress((part) => {
      if (isLarge) percent.value = Math.round(100 * part);
    }),
    timeoutMs: Number.POSITIVE_INFINITY,
    // The user decides when to try again.
    retryMs: 0,
  };
  if (isLarge) percent.value = 0;
  if (editId === undefined) {
    return api.call('POST /api/share', { ...transport, body, idempotencyKey: getKey(body) });
  }
  const ifMatch = getStoredVersion();
  return api.call('PUT /api/share/{id}', { ...transport, params: { id: editId }, body, ifMatch });
};

/** Creates or updates the share, and shows errors beside their fields. */
export const share = async (): Promise<void> => {
  if (shareButton.ariaBusy === 'true') return;
  clearFailures();
  byId('end-offer').hidden = true;
  const wrong = findContentFault();
  if (wrong !== undefined) return refuseContent(wrong);
  if (showDetails(findMissing())) return;
  // Without a saved draft, stay here: the user may have signed in elsewhere.
  if (!signedIn && leaveForLogin()) return;
  await run(async () => {
    const [{ showResult }] = await loadResult();
    const stored = await send();
    endDraft();
    showResult(stored, editId !== undefined);
  });
};
