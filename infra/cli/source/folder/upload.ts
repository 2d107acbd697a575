import { createHash } from 'node:crypto';
import type { Client } from '../../../../functions/web/browser/client/client.ts';
import type { Data } from '../../../../functions/web/browser/client/endpoints.ts';
import { withStreamProgress } from '../../../../functions/web/browser/client/stream-progress.ts';
import { sleep } from '../../../../functions/web/browser/client/transport.ts';
import { createWhole } from '../creation.ts';
import { CliError, exitCodes } from '../error-mapping.ts';
import { interruption } from '../interruption.ts';
import { createBar } from '../terminal/progress.ts';
import type { ReadyFile, ReadyFiles } from './prepare.ts';

type Reserved = Data<'POST /api/share/uploads'>;
type Form = Reserved['forms'][number];

/** How many files are sent at once. */
const concurrency = 4;

/** How often a file is sent, the first time included, and how long to wait before the second repetition. ms. */
const maxAttempts = 5;
const firstPauseMs = 500;

/** How long the service may take to delete an upload. ms. */
const deletionMs = 5_000;

/** The fields of a share that has the files of an upload. */
export interface SentFiles {
  readonly upload: string;
  readonly files: { path: string; sha256: string }[];
  readonly main?: string;
}

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const toFormData = ({ fields }: Form, { path, bytes }: ReadyFile): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  // S3 ignores fields after the file.
  data.append('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), path);
  return data;
};

/** Whether the storage may take the same form later. */
const isPassing = (status: number): boolean => status >= 500 || status === 429;

/**
 * Sends a file to the storage, again if the connection is lost.
 * @throws CliError if the storage refuses it or can't be reached; the reason of the signal
 */
const sendFile = async (
  form: Form,
  file: ReadyFile,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    const response = await withStreamProgress(onProgress)(form.url, {
      method: 'POST',
      body: toFormData(form, file),
      signal,
    }).catch(() => undefined);
    signal.throwIfAborted();
    await response?.body?.cancel();
    if (response?.ok) return;
    if (response && !isPassing(response.status)) {
      throw new CliError(`The storage refused ${file.path} (${response.status}).`);
    }
    if (attempt === maxAttempts) {
      throw new CliError(
        `Can’t reach the storage: ${file.path} wasn’t sent.`,
        exitCodes.unreachable,
      );
    }
    onProgress(0);
    if (attempt > 1) await sleep(firstPauseMs * 2 ** (attempt - 2), signal);
  }
};

/** Sends the files that there are forms for, some at once. The first failure stops the others. */
const sendAll = async ({ forms }: Reserved, { name, files }: ReadyFiles): Promise<void> => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const sent = new Map<string, number>();
  const total = forms.reduce((sum, { path }) => sum + (byPath.get(path)?.bytes.length ?? 0), 0);
  const bar = await createBar(name);
  const stop = new AbortController();
  const signal = AbortSignal.any([interruption, stop.signal]);
  const waiting = forms.values();
  const work = async (): Promise<void> => {
    for (const form of waiting) {
      const file = byPath.get(form.path);
      if (!file) throw new CliError('The service asked for a file that wasn’t offered.');
      const showProgress = (part: number): void => {
        sent.set(form.path, part * file.bytes.length);
        const done = [...sent.values()].reduce((sum, bytes) => sum + bytes, 0);
        bar.update(total > 0 ? done / total : 1);
      };
      await sendFile(form, file, showProgress, signal);
    }
  };
  try {
    const workers = Array.from({ length: concurrency }, () =>
      work().catch((error) => {
        stop.abort(error);
        throw error;
      }),
    );
    await Promise.allSettled(workers);
    signal.throwIfAborted();
  } finally {
    bar.stop();
  }
};

/**
 * Uploads files and calls `use` with what a share is made or changed of. If either fails or is interrupted, the upload is
 * deleted. Of files that the share `share` has, nothing is sent.
 * @throws ApiError; CliError; the reason of the interruption
 */
export const withUpload = async <Result>(
  client: Client,
  ready: ReadyFiles,
  share: string | undefined,
  use: (sent: SentFiles) => Promise<Result>,
): Promise<Result> => {
  const files = ready.files.map(({ path, bytes }) => ({
    path,
    size: bytes.length,
    sha256: hash(bytes),
  }));
  const remove = ({ id }: Pick<Reserved, 'id'>) =>
    client.call('DELETE /api/share/uploads/{id}', {
      params: { id },
      timeoutMs: deletionMs,
      retryMs: deletionMs,
    });
  const body = { files, ...(share !== undefined && { share }) };
  const reserved = await createWhole(
    (sending) => client.call('POST /api/share/uploads', { body, ...sending }),
    remove,
  );
  try {
    await sendAll(reserved, ready);
    return await use({
      upload: reserved.id,
      files: files.map(({ path, sha256 }) => ({ path, sha256 })),
      ...(ready.main !== undefined && { main: ready.main }),
    });
  } catch (error) {
    // What the share has taken over isn't there any more.
    await remove(reserved).catch(() => undefined);
    throw error;
  }
};
