import { ApiError } from './api-error.ts';
import type { Client } from './client.ts';
import type { Data } from './endpoints.ts';
import { type OnProgress, type WithProgress, withProgress } from './progress.ts';
import { clientTexts as texts } from './texts.ts';
import { transmit } from './transport.ts';

export interface UploadSettings {
  /** The path of a folder; empty is the top level. */
  readonly folder?: string;
  /** Sends the file. By default XMLHttpRequest, where there is one. */
  readonly withProgress?: WithProgress;
}

export interface UploadRun {
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal;
}

type Stored = Data<'POST /api/files/{id}/complete'>;
type Form = Data<'POST /api/files/presign'>;

/** The upload of a file. */
export interface Upload {
  /**
   * Runs the remaining steps: what was done before a failure is not repeated.
   * @throws ApiError; the reason of the signal if it aborts
   */
  run(run?: UploadRun): Promise<Stored>;
  /** Frees the storage that is reserved for the file. If that fails, the service does so later. */
  cancel(): Promise<void>;
}

/** The minimum remaining validity of a form. ms. */
const marginMs = 30_000;

/** The largest file that goes through the API. Bytes. */
const maxMultipartBytes = 4 * 1024 ** 2;

/** How long the service may take to process an upload. ms. */
const completionMs = 60_000;

const isOver = ({ expiresAt }: Form): boolean => Date.parse(expiresAt) - marginMs < Date.now();

/** @throws ApiError if the file was changed, moved or deleted since it was chosen */
const assertReadable = async (file: File): Promise<void> => {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch (cause) {
    throw new ApiError(0, texts.fileChanged, { code: 'FILE_CHANGED', cause });
  }
};

const toFormData = (
  fields: Readonly<Record<string, string>>,
  file: File,
  name: string,
): FormData => {
  const data = new FormData();
  for (const [field, value] of Object.entries(fields)) data.append(field, value);
  // S3 ignores fields after the file.
  data.append('file', file, name);
  return data;
};

/**
 * Prepares the upload of a file: the API reserves storage, the file goes straight to S3, and the API checks it. Where S3
 * can't be reached, a small file goes through the API.
 */
export const createUpload = (
  client: Client,
  file: File,
  { folder = '', withProgress: toFetch = withProgress }: UploadSettings = {},
): Upload => {
  let form: Form | undefined;
  /** Whether the API was asked for a form and hasn't answered. */
  let isAsked = false;
  let isSent = false;
  let idempotencyKey = crypto.randomUUID();

  const forget = () => {
    form = undefined;
    isAsked = false;
    isSent = false;
    idempotencyKey = crypto.randomUUID();
  };

  const ask = async (signal?: AbortSignal): Promise<Form> => {
    isAsked = true;
    try {
      return await client.call('POST /api/files/presign', {
        body: { name: file.name, size: file.size, folder },
        idempotencyKey,
        signal,
      });
    } catch (error) {
      isAsked = !(error instanceof ApiError) || error.status === 0;
      throw error;
    }
  };

  const cancel = async (): Promise<void> => {
    // A request without an answer may have reserved storage: repeating it tells.
    const found = form ?? (isAsked ? await ask().catch(() => undefined) : undefined);
    const params = found && { id: found.id };
    forget();
    if (params) await client.call('DELETE /api/files/{id}', { params }).catch(() => undefined);
  };

  /** Posts the form to S3. Returns whether S3 could be reached. */
  const sendToStorage = async (
    { url, fields }: Form,
    onProgress: OnProgress,
    signal: AbortSignal | undefined,
  ): Promise<boolean> => {
    const body = toFormData(fields, file, 'file');
    const fetchIt: typeof fetch = async (...request) => {
      const { ok, status } = await toFetch(onProgress)(...request);
      // S3 responds with XML or nothing.
      return Response.json({}, { status: ok ? 200 : status });
    };
    try {
      const init = { method: 'POST', body };
      const timeoutMs = Number.POSITIVE_INFINITY;
      await transmit({ fetch: fetchIt, url, init, timeoutMs, signal });
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 0) return false;
      const { status, code } = error;
      throw new ApiError(status, texts.storageRefused, { code, cause: error });
    }
  };

  const sendThroughApi = (onProgress: OnProgress, signal: AbortSignal | undefined) =>
    client.call('POST /api/files/upload', {
      body: toFormData(folder === '' ? {} : { folder }, file, file.name),
      fetch: toFetch(onProgress),
      timeoutMs: Number.POSITIVE_INFINITY,
      idempotencyKey,
      signal,
    });

  const complete = async (id: number, signal: AbortSignal | undefined): Promise<Stored> => {
    try {
      return await client.call('POST /api/files/{id}/complete', {
        params: { id },
        isRepeatable: true,
        retryMs: completionMs,
        signal,
      });
    } catch (error) {
      const status = error instanceof ApiError ? error.status : undefined;
      // The file is missing or the upload has expired: the next run sends it again.
      if (status === 409) isSent = false;
      if (status === 404) forget();
      throw error;
    }
  };

  const run = async ({ onProgress = () => {}, signal }: UploadRun = {}): Promise<Stored> => {
    await assertReadable(file);
    if (form && !isSent && isOver(form)) await cancel();
    form ??= await ask(signal);
    if (!isSent && !(await sendToStorage(form, onProgress, signal))) {
      if (file.size > maxMultipartBytes) {
        throw new ApiError(0, texts.storageUnreachable, { code: 'UNREACHABLE' });
      }
      await cancel();
      return sendThroughApi(onProgress, signal);
    }
    isSent = true;
    onProgress(1);
    return complete(form.id, signal);
  };

  return { run, cancel };
};
