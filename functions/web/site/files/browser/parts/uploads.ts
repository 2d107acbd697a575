import { computed, signal } from '@preact/signals';
import { createUpload, type Upload } from '../../../../browser/client/upload.ts';
import { api } from '../../../../browser/shell/api.ts';
import { filesTexts as texts } from '../../texts.ts';
import { reload } from './state.ts';

/** The number of uploads at once. */
const concurrency = 3;

type State = 'waiting' | 'sending' | 'uploaded' | 'failed' | 'canceled';

/** A file of the list of uploads. */
export interface UploadItem {
  readonly id: number;
  readonly file: globalThis.File;
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

export const uploads = signal<readonly UploadItem[]>([]);
const runners = new Map<number, Runner>();
let lastId = 0;

const change = (id: number, some: Partial<UploadItem>): void => {
  uploads.value = uploads.value.map((item) => (item.id === id ? { ...item, ...some } : item));
};

const inState = (...states: readonly State[]): readonly UploadItem[] =>
  uploads.value.filter(({ state }) => states.includes(state));

/** Whether uploads wait or run. */
export const isUploading = computed(() => inState('waiting', 'sending').length > 0);

/** The sum of what the uploads that weren’t canceled have sent, from 0 to 1. */
export const progress = computed(() => {
  const items = uploads.value.filter(({ state }) => state !== 'canceled' && state !== 'failed');
  // Empty files count, too.
  const all = items.reduce((sum, { file }) => sum + file.size + 1, 0);
  const sent = items.reduce((sum, { file, part }) => sum + (file.size + 1) * part, 0);
  return all === 0 ? 1 : sent / all;
});

/** What became of all uploads; empty while some run. */
export const summary = computed(() => {
  if (isUploading.value) return '';
  const [done, failed] = [inState('uploaded').length, inState('failed').length];
  const parts = [
    ...(done > 0 ? [texts.uploadedAll(done)] : []),
    ...(failed > 0 ? [texts.failedSome(failed)] : []),
  ];
  return parts.join(', ');
});

const run = async ({ id }: UploadItem): Promise<void> => {
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
    await upload.run({ onProgress, signal: aborted });
    change(id, { state: 'uploaded', part: 1 });
    void reload();
  } catch (error) {
    if (!aborted.aborted) {
      change(id, { state: 'failed', message: (error as Error).message });
      return;
    }
    change(id, { state: 'canceled' });
    await upload.cancel();
    void reload();
  }
};

const runNext = async (): Promise<void> => {
  const [next] = inState('waiting');
  if (!next || inState('sending').length >= concurrency) return;
  const running = run(next);
  void runNext();
  await running;
  void runNext();
};

/** Uploads files to a folder; empty is the top level. */
export const uploadAll = (files: readonly globalThis.File[], folder: string): void => {
  const items = files.map((file): UploadItem => {
    lastId += 1;
    const upload = createUpload(api, file, { folder });
    runners.set(lastId, { upload, aborter: new AbortController(), isSent: false });
    return { id: lastId, file, state: 'waiting', part: 0 };
  });
  uploads.value = [...uploads.value, ...items];
  void runNext();
};

/** Cancels an upload that waits or runs. */
export const cancel = ({ id, state }: UploadItem): void => {
  if (state === 'sending') runners.get(id)?.aborter.abort();
  else change(id, { state: 'canceled' });
};

/** Runs the remaining steps of an upload that failed, or one that was canceled. */
export const retry = ({ id }: UploadItem): void => {
  const runner = runners.get(id);
  if (!runner) return;
  runner.aborter = new AbortController();
  change(id, { state: 'waiting', part: 0 });
  void runNext();
};

/** Takes finished uploads off the list, and frees the storage of failed ones. Uploaded files stay. */
export const clear = (): void => {
  for (const { id, state } of inState('uploaded', 'failed', 'canceled')) {
    const runner = runners.get(id);
    runners.delete(id);
    if (state === 'failed' && runner && !runner.isSent) void runner.upload.cancel();
  }
  uploads.value = inState('waiting', 'sending');
};
