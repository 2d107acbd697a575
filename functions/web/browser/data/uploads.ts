import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Data } from '../client/endpoints.ts';
import { createUpload, type Upload } from '../client/upload.ts';
import { api } from '../shell/api.ts';

/** The number of uploads at once. */
const concurrency = 3;

type State = 'waiting' | 'sending' | 'uploaded' | 'failed' | 'canceled';

/** A file of the list of uploads. */
export interface UploadItem {
  readonly id: number;
  readonly file: File;
  readonly state: State;
  /** The sent part, from 0 to 1. */
  readonly part: number;
  /** Why it failed. */
  readonly message?: string;
}

/** What runs an item; not part of what is shown. */
interface Runner {
  readonly upload: Upload;
  aborter: AbortController;
  /** Whether the file has been sent whole: it may be stored already. */
  isSent: boolean;
}

type Stored = Data<'POST /api/files/{id}/complete'>;

/** Uploads to the user’s files. */
export interface Uploads {
  readonly items: ReadonlySignal<readonly UploadItem[]>;
  /** Whether uploads wait or run. */
  readonly isUploading: ReadonlySignal<boolean>;
  /** Uploads files to a folder; empty is the top level. Returns their items. */
  add(files: readonly File[], folder: string): readonly UploadItem[];
  /** Cancels an upload that waits or runs. */
  cancel(item: UploadItem): void;
  /** Runs the remaining steps of an upload that failed, or one that was canceled. */
  retry(item: UploadItem): void;
  /** Takes finished uploads off the list, and frees the storage of failed ones. Uploaded files stay. */
  clear(isIncluded?: (item: UploadItem) => boolean): void;
}

interface UploadsOptions {
  readonly onStored: (item: UploadItem, file: Stored) => unknown;
  readonly onCanceled?: () => unknown;
  /** Called when an uploaded image has got a thumbnail. */
  readonly onThumbnail?: () => unknown;
}

const isIn = (item: UploadItem, ...states: readonly State[]): boolean =>
  states.includes(item.state);

/** Creates a list of uploads. */
export const createUploads = ({ onStored, onCanceled, onThumbnail }: UploadsOptions): Uploads => {
  const items = signal<readonly UploadItem[]>([]);
  const runners = new Map<number, Runner>();
  let lastId = 0;

  const change = (id: number, some: Partial<UploadItem>): void => {
    items.value = items.value.map((item) => (item.id === id ? { ...item, ...some } : item));
  };

  const addThumbnail = async (file: File, { id, type, mimeType }: Stored): Promise<void> => {
    if (type !== 'image' || mimeType === 'image/svg+xml') return;
    const { sendThumbnail } = await import('../files/thumbnail.ts');
    if (await sendThumbnail(id, file)) onThumbnail?.();
  };

  const run = async (item: UploadItem): Promise<void> => {
    const { id } = item;
    const runner = runners.get(id);
    if (!runner) return;
    const { upload, aborter } = runner;
    const { signal: aborted } = aborter;
    change(id, { state: 'sending', part: 0 });
    const onProgress = (part: number) => {
      runner.isSent = part === 1;
      if (!aborted.aborted) change(id, { part });
    };
    try {
      const stored = await upload.run({ onProgress, signal: aborted });
      change(id, { state: 'uploaded', part: 1 });
      onStored(item, stored);
      // Without one, lists show an icon.
      void addThumbnail(item.file, stored).catch(() => undefined);
    } catch (error) {
      if (!aborted.aborted) {
        change(id, { state: 'failed', message: (error as Error).message });
        return;
      }
      change(id, { state: 'canceled' });
      await upload.cancel();
      onCanceled?.();
    }
  };

  const runNext = async (): Promise<void> => {
    const next = items.value.find((item) => isIn(item, 'waiting'));
    const running = items.value.filter((item) => isIn(item, 'sending'));
    if (!next || running.length >= concurrency) return;
    const done = run(next);
    void runNext();
    await done;
    void runNext();
  };

  return {
    items,
    isUploading: computed(() => items.value.some((item) => isIn(item, 'waiting', 'sending'))),

    add(files, folder) {
      const added = files.map((file): UploadItem => {
        lastId += 1;
        const upload = createUpload(api, file, { folder });
        runners.set(lastId, { upload, aborter: new AbortController(), isSent: false });
        return { id: lastId, file, state: 'waiting', part: 0 };
      });
      items.value = [...items.value, ...added];
      void runNext();
      return added;
    },

    cancel({ id, state }) {
      if (state === 'sending') runners.get(id)?.aborter.abort();
      else change(id, { state: 'canceled' });
    },

    retry({ id }) {
      const runner = runners.get(id);
      if (!runner) return;
      runner.aborter = new AbortController();
      change(id, { state: 'waiting', part: 0 });
      void runNext();
    },

    clear(isIncluded = () => true) {
      const ended = items.value.filter(
        (item) => isIn(item, 'uploaded', 'failed', 'canceled') && isIncluded(item),
      );
      for (const { id, state } of ended) {
        const runner = runners.get(id);
        runners.delete(id);
        if (state === 'failed' && runner && !runner.isSent) void runner.upload.cancel();
      }
      items.value = items.value.filter((item) => !ended.includes(item));
    },
  };
};
