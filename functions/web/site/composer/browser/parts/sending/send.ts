import { ApiError, unreachable } from '../../../../../browser/client/api-error.ts';
import { createClient } from '../../../../../browser/client/client.ts';
import type { Data } from '../../../../../browser/client/endpoints.ts';
import { withProgress } from '../../../../../browser/client/progress.ts';
import { fitsRequest } from '../../../../../browser/client/request-size.ts';
import { api as sessionApi } from '../../../../../browser/shell/api.ts';
import { orReload } from '../../../../../browser/shell/reload.ts';
import { signedIn } from '../../../../../browser/shell/session.ts';
import { countContentBytes } from '../content.ts';
import { controls } from '../elements.ts';
import { refuseContent } from '../failures.ts';
import { files } from '../open-files.ts';
import { showEnded } from '../page-states.ts';
import { percent } from '../percent.ts';
import { showResult } from '../result/result.tsx';
import { isSealed } from '../sealing/sealed.ts';
import type { ContentBody } from '../share-files/large-page.ts';
import { editId, endDraft, getStoredVersion } from '../state.ts';
import { toBody, toOptions } from './body.ts';
import { findMissing, showDetails } from './details.ts';
import { findGzipFault } from './gzip.ts';

/** The size from which progress is shown. Bytes. */
const largeBytes = 100_000;

/** Visitors have no session to sign in to again: they are told to sign in elsewhere. */
const api = signedIn ? sessionApi : createClient();

/** Ends the edited share. */
export const endShare = async (): Promise<void> => {
  await api.call('POST /api/share/{id}/end', { params: { id: editId ?? '' } });
  endDraft();
  showEnded();
};

/** The last body and its key: repeating it after a lost response creates no second share. */
let last = { body: '', key: '' };

/** Without a key for generated passwords, which only the first response contains. */
const getKey = (body: object): string | false => {
  if (controls.passwordMode.value === 'random') return false;
  const text = JSON.stringify(body);
  if (last.body !== text) last = { body: text, key: crypto.randomUUID() };
  return last.key;
};

/** Loads what seals, with the first that is. */
const loadSealing = () =>
  orReload(import('../sealing/body.ts')).catch((cause) => {
    throw unreachable(cause);
  });

type Stored = Data<'POST /api/share'> | Data<'PUT /api/share/{id}'>;

/** Uploads a content that no request takes, by what uploads files. */
const upload = async (body: ContentBody, onProgress: (part: number) => void) => {
  const part = await orReload(import('../share-files/share-files.tsx')).catch((cause) => {
    throw unreachable(cause);
  });
  return part.uploadPage(api, body, editId, onProgress);
};

/** How a share is sent. */
interface Sending {
  /** Whether it is sealed: what is switched while it is sent is not about it. */
  readonly seals: boolean;
  /** Whether all files are uploaded again. */
  readonly isAgain: boolean;
}

/** Returns the share as it is sent. */
const toSentBody = async (
  { seals, isAgain }: Sending,
  showProgress: ((part: number) => void) | undefined,
): Promise<object> => {
  const isEdit = editId !== undefined;
  if (seals) {
    const { toSealedBody } = await loadSealing();
    return toSealedBody(toOptions(isEdit), isAgain);
  }
  const ofFiles = await files.opened?.toBody(isAgain);
  const whole = { ...toBody(isEdit), ...ofFiles };
  return showProgress && !fitsRequest(whole) ? upload(whole, showProgress) : whole;
};

const sendOnce = async (sending: Sending): Promise<Stored> => {
  const isLarge = countContentBytes() >= largeBytes;
  const showProgress = (part: number): void => {
    if (isLarge) percent.value = Math.round(100 * part);
  };
  showProgress(0);
  const body = await toSentBody(sending, isLarge ? showProgress : undefined);
  const transport = {
    fetch: withProgress(showProgress),
    timeoutMs: Number.POSITIVE_INFINITY,
    // The user decides when to try again.
    retryMs: 0,
  };
  try {
    if (editId === undefined) {
      return await api.call('POST /api/share', {
        ...{ ...transport, body, idempotencyKey: getKey(body) },
      });
    }
    const params = { id: editId };
    const ifMatch = getStoredVersion();
    return await api.call('PUT /api/share/{id}', { ...transport, params, body, ifMatch });
  } catch (error) {
    if (sending.seals) (await loadSealing()).noteFailure(error);
    throw error;
  }
};

/** Whether the upload of the files is over or incomplete. */
const isOfUpload = (error: unknown): boolean =>
  error instanceof ApiError && error.details.some(({ field }) => field === 'upload');

const send = async (seals: boolean): Promise<Stored> => {
  try {
    return await sendOnce({ seals, isAgain: false });
  } catch (error) {
    if (!files.opened || !isOfUpload(error)) throw error;
    return sendOnce({ seals, isAgain: true });
  }
};

/** Creates or updates the share and shows its link, unless an option has no value. */
export const sendShare = async (): Promise<void> => {
  if (showDetails(findMissing())) return;
  const seals = isSealed.value;
  const fault = seals ? undefined : await findGzipFault();
  if (fault !== undefined) return refuseContent(fault);
  const stored = await send(seals);
  const seal = seals ? (await loadSealing()).keepSeal(stored.id) : undefined;
  files.opened?.end();
  endDraft();
  showResult(stored, editId !== undefined, seal);
};
