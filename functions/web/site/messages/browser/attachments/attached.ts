import { signal } from '@preact/signals';
import { toast } from '../../../../browser/components/toast.tsx';
import { createUploads, type UploadItem } from '../../../../browser/data/uploads.ts';
import { talkTexts as texts } from '../../talk-texts.ts';
import { type AttachedFile, type DraftId, keepDraft, readDraft } from '../parts/drafts.ts';

/** As the API limits them. */
const maxAttachments = 10;

const changed = signal<ReadonlyMap<DraftId, readonly AttachedFile[]>>(new Map());

/** Returns the files of a draft. */
export const getAttached = (of: DraftId): readonly AttachedFile[] =>
  changed.value.get(of) ?? readDraft(of).files;

/** Changes the files of a draft. */
export const setAttached = (of: DraftId, files: readonly AttachedFile[]): void => {
  changed.value = new Map(changed.value).set(of, files);
  keepDraft(of, { files });
};

/** The drafts that uploads are for, by the ids of the uploads. */
const targets = new Map<number, DraftId>();

const uploads = createUploads({
  onStored: (item, { id, name, size }) => {
    uploads.clear(({ id: ended }) => ended === item.id);
    const of = targets.get(item.id);
    if (of !== undefined) setAttached(of, [...getAttached(of), { id, name, size }]);
  },
});

const isPending = ({ state }: UploadItem): boolean =>
  state === 'waiting' || state === 'sending' || state === 'failed';

/** Returns the uploads for a draft that wait, run or have failed. */
export const getUploads = (of: DraftId): readonly UploadItem[] =>
  uploads.items.value.filter((item) => isPending(item) && targets.get(item.id) === of);

/** Returns how many files a draft can still take. */
export const countFree = (of: DraftId): number =>
  maxAttachments - getAttached(of).length - getUploads(of).length;

/** Attaches a file, or takes it away again. It stays in the user’s files. */
export const toggle = (of: DraftId, file: AttachedFile): void => {
  const files = getAttached(of);
  const others = files.filter(({ id }) => id !== file.id);
  if (others.length < files.length) setAttached(of, others);
  else if (countFree(of) > 0) setAttached(of, [...files, file]);
  else toast({ text: texts.tooManyFiles(maxAttachments), kind: 'bad' });
};

/** Uploads files to the user’s files, and attaches them. */
export const attachNew = (of: DraftId, files: readonly File[]): void => {
  const free = countFree(of);
  if (files.length > free) toast({ text: texts.tooManyFiles(maxAttachments), kind: 'bad' });
  for (const { id } of uploads.add(files.slice(0, free), '')) targets.set(id, of);
};

/** Runs the remaining steps of an upload that failed. */
export const retry = (item: UploadItem): void => uploads.retry(item);

/** Cancels an upload, or forgets one that failed. */
export const dismiss = (item: UploadItem): void => {
  if (item.state === 'failed') uploads.clear(({ id }) => id === item.id);
  else uploads.cancel(item);
};

addEventListener('beforeunload', (event) => {
  if (uploads.isUploading.value) event.preventDefault();
});
