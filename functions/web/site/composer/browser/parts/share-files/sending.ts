import { computed, effect, untracked } from '@preact/signals';
import { ApiError } from '../../../../../browser/client/api-error.ts';
import { createClient } from '../../../../../browser/client/client.ts';
import { api as sessionApi } from '../../../../../browser/shell/api.ts';
import { signedIn } from '../../../../../browser/shell/session.ts';
import { shareFilesTexts as texts } from '../../../share-files-texts.ts';
import { getContent } from '../content.ts';
import { tell } from '../notice.ts';
import { isSealed } from '../sealing/sealed.ts';
import { editId, isContentUnchanged } from '../state.ts';
import { formatTime } from '../times.ts';
import { removeAll } from './actions.ts';
import { takeTexts } from './editing.ts';
import { findEnvelope } from './envelopes.ts';
import { type DraftFile, isEditable } from './model/draft-file.ts';
import { allFiles, fileSet, isSingle, isUnchanged, main, opened, others } from './set.ts';
import { hash, sendForm } from './uploads/form.ts';
import {
  createUploads,
  type SendState,
  type UploadTransport,
  type WantedFile,
} from './uploads/uploads.ts';

const api = signedIn ? sessionApi : createClient();

const transport: UploadTransport = {
  hash,
  reserve: (upload, files) =>
    api.call('POST /api/share/uploads', {
      body: {
        files: [...files],
        ...(upload !== undefined && { upload }),
        ...(editId !== undefined && { share: editId }),
      },
    }),
  send: sendForm,
  cancel: async (id) => {
    await api.call('DELETE /api/share/uploads/{id}', { params: { id } });
  },
};

/** The uploads of the files. */
export const uploads = createUploads(transport);

/** Files that the service doesn’t have, with their bytes. */
const listUnsent = (files: readonly DraftFile[]): readonly WantedFile[] =>
  files.flatMap(({ path, bytes, sha256 }) =>
    bytes && sha256 === undefined ? { path, bytes } : [],
  );

/** A text that is open is sent once it is left, or the share is. */
const isBeingEdited = (file: DraftFile): boolean =>
  file.path === opened.value && file.text !== undefined && isEditable(file) && !isSingle.value;

/** Returns what is uploaded of a file: its bytes, or of a sealed share, their envelope. */
const findSent = (path: string): Blob | undefined => {
  const bytes = others.value.find((file) => file.path === path)?.bytes;
  return isSealed.value ? bytes && findEnvelope(bytes) : bytes;
};

/** Returns how far the upload of a file is; `undefined` for what isn’t uploaded. */
export const getSendState = (path: string): SendState | undefined => {
  const bytes = findSent(path);
  return bytes && uploads.states.value.get(bytes);
};

/** Uploads a file again. */
export const retry = (path: string): void => {
  const bytes = findSent(path);
  if (bytes) uploads.retry(bytes);
};

const countStates = (...some: readonly SendState['is'][]): number =>
  [...uploads.states.value.values()].filter(({ is }) => some.includes(is)).length;

/** How many uploads have to be done before the share can be. */
export const countUnsent = (): number => countStates('queued', 'sending', 'failed');

/** What is being uploaded, with what is there already; `undefined` while nothing is. */
export const progress = computed(() => {
  if (countStates('queued', 'sending') === 0) return undefined;
  const { states } = uploads;
  const count = allFiles.value.length;
  let unsentBytes = 0;
  for (const [{ size }, state] of states.value) {
    if (state.is === 'sending') unsentBytes += size * (1 - state.part);
    else if (state.is !== 'sent') unsentBytes += size;
  }
  const bytes = allFiles.value.reduce((sum, { size }) => sum + size, 0);
  return { done: count - countUnsent(), count, bytes, sentBytes: Math.max(0, bytes - unsentBytes) };
});

/** Stops uploading. What wasn’t uploaded is removed, which can be undone. */
export const cancelUploads = (): void => removeAll(uploads.stop());

/** Deletes what was uploaded before the share was sealed, and says so. */
const dropPlain = async (): Promise<void> => {
  const upload = uploads.getUpload();
  const isDropped = await uploads.cancel();
  if (upload) tell(isDropped ? texts.plainDeleted : texts.plainLeft(formatTime(upload.expiresAt)));
};

/** Starts to upload files as soon as they are there. Visitors sign in first; those of a sealed share are sealed when it is shared. */
export const startSending = (): void => {
  if (!signedIn) return;
  let wasSealed = false;
  effect(() => {
    const isPlain = !isSealed.value;
    if (isPlain === wasSealed) untracked(() => (isPlain ? uploads.cancel() : dropPlain()));
    wasSealed = !isPlain;
    if (!isPlain) return;
    const unsent = listUnsent(others.value.filter((file) => !isBeingEdited(file)));
    // A user can have few uploads that aren’t finished.
    untracked(() => (others.value.length === 0 ? void uploads.cancel() : uploads.want(unsent)));
  });
};

/** Deletes the upload of a draft that is left. */
export const cancelUpload = (id: string): Promise<void> => transport.cancel(id);

/** Uploads what wasn’t. @throws ApiError if something can’t be */
export const sendAll = async (files: readonly WantedFile[]): Promise<void> => {
  uploads.want(files);
  // Only those of a sealed share can be there: a file that couldn't be uploaded holds up all others.
  uploads.retry();
  await uploads.finish();
  const failed = countStates('failed');
  if (failed > 0) {
    throw new ApiError(0, texts.notUploaded(failed), { code: 'NOT_UPLOADED' });
  }
};

/** Names the files by their bytes. The API takes a text that the share has for no change, so that page is named, too. */
const toReferences = (): Promise<readonly { path: string; sha256: string }[]> => {
  const isNamed = editId !== undefined && !isSingle.value && isContentUnchanged();
  const page = { path: main.value, bytes: new Blob([getContent()]), sha256: undefined };
  return Promise.all(
    [...(isNamed ? [page] : []), ...others.value].map(async ({ path, sha256, bytes }) => ({
      path,
      sha256: sha256 ?? (bytes ? await uploads.hash(bytes) : ''),
    })),
  );
};

/**
 * Returns the files as the API takes them beside the options of a share, once all are uploaded. `isAgain` uploads all again:
 * the upload of before is over, or lacks files that were removed since.
 * @throws ApiError if something can’t be uploaded
 */
export const toBody = async (isAgain: boolean): Promise<object> => {
  if (!fileSet.value) return {};
  if (editId !== undefined && isUnchanged()) return {};
  if (isAgain) void uploads.cancel();
  takeTexts();
  await sendAll(listUnsent(others.value));
  if (others.value.length === 0) return editId === undefined ? {} : { files: null };
  const upload = uploads.getUpload()?.id;
  return {
    ...(upload !== undefined && { upload }),
    files: await toReferences(),
    // The API knows that a file without a page is the whole share.
    ...(isSingle.value ? { content: undefined, language: undefined } : { main: main.value }),
  };
};
