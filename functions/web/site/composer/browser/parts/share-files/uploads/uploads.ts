import { type ReadonlySignal, signal } from '@preact/signals';
import { toAnnouncedPath } from './announced-path.ts';

/** A file to upload. */
export interface WantedFile {
  readonly path: string;
  readonly bytes: Blob;
}

/** A form that takes one file, with these fields before it. */
export interface UploadForm {
  readonly path: string;
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** What the API knows an upload by. */
export interface UploadId {
  readonly id: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** What the API answers when files are announced. */
interface Reserved extends UploadId {
  readonly forms: readonly UploadForm[];
  /** The paths of files whose bytes the share has. */
  readonly known: readonly string[];
}

interface AnnouncedFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** What uploads are sent by. */
export interface UploadTransport {
  /** Returns the SHA-256 of bytes in hexadecimal. */
  hash(bytes: Blob): Promise<string>;
  /** Announces files, to an upload that there is or to a new one. */
  reserve(upload: string | undefined, files: readonly AnnouncedFile[]): Promise<Reserved>;
  /** Sends a file. @throws ApiError; its status is 0 if the same form can be sent again */
  send(
    form: UploadForm,
    bytes: Blob,
    onProgress: (part: number) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /** Deletes an upload that isn’t needed. */
  cancel(upload: string): Promise<void>;
}

/** How far a file is. Of one that is being sent, `part` is from 0 to 1. */
export type SendState =
  | { readonly is: 'queued' }
  | { readonly is: 'sending'; readonly part: number }
  | { readonly is: 'failed'; readonly message: string }
  | { readonly is: 'sent' };

/** The uploads of a share. Files are known by their bytes: renaming one sends nothing. */
export interface Uploads {
  /** How far the wanted files are. */
  readonly states: ReadonlySignal<ReadonlyMap<Blob, SendState>>;
  /** Says which files are wanted: new ones are sent, and those that aren’t any more are not. */
  want(files: readonly WantedFile[]): void;
  /** Sends again what failed; by default, all. */
  retry(bytes?: Blob): void;
  /** Stops. Returns the paths of the files that weren’t sent, which aren’t wanted any more. */
  stop(): readonly string[];
  /** Resolves once nothing is being sent. */
  finish(): Promise<void>;
  /** Returns the SHA-256 of bytes. */
  hash(bytes: Blob): Promise<string>;
  /** Returns the upload and the hashes of what was sent to it; `undefined` if nothing was announced. */
  getUpload(): (UploadId & { readonly sent: readonly string[] }) | undefined;
  /** Goes on with an upload of before. */
  resume(upload: UploadId, sent: readonly string[]): void;
  /** Begins again, such as after the upload has expired. */
  reset(): void;
  /** Deletes the upload. Returns whether nothing is left of it. */
  cancel(): Promise<boolean>;
}

/** The number of files that are sent at once. */
const concurrency = 4;

/** The least time that is left to an upload to which files are added. ms. */
const marginMs = 60_000;

const getStatus = (error: unknown): number =>
  error instanceof Error && 'status' in error ? Number(error.status) : 0;

/** Creates the uploads of a share. `now` is the time in ms. */
export const createUploads = (
  transport: UploadTransport,
  now: () => number = Date.now,
): Uploads => {
  const states = signal<ReadonlyMap<Blob, SendState>>(new Map());
  const hashes = new Map<Blob, string>();
  const forms = new Map<string, UploadForm>();
  const sent = new Set<string>();
  const aborters = new Map<Blob, AbortController>();
  let wanted: readonly WantedFile[] = [];
  let upload: UploadId | undefined;
  let isPreparing = false;
  let isChanged = false;
  /** Counts what was cancelled. */
  let cancelled = 0;

  const isState = (bytes: Blob, is: SendState['is']): boolean => states.value.get(bytes)?.is === is;

  const set = (bytes: Blob, state: SendState): void => {
    if (states.value.has(bytes)) states.value = new Map(states.value).set(bytes, state);
  };

  const hash = async (bytes: Blob): Promise<string> => {
    const known = hashes.get(bytes);
    if (known !== undefined) return known;
    const found = await transport.hash(bytes);
    hashes.set(bytes, found);
    return found;
  };

  const listQueued = (): readonly WantedFile[] =>
    wanted.filter(({ bytes }) => isState(bytes, 'queued'));

  const noteSent = (): void => {
    for (const { bytes } of wanted) {
      const known = hashes.get(bytes);
      if (known !== undefined && sent.has(known) && !isState(bytes, 'sent')) {
        set(bytes, { is: 'sent' });
      }
    }
  };

  const forgetUpload = (): void => {
    upload = undefined;
    forms.clear();
    sent.clear();
  };

  const reset = (): void => {
    for (const aborter of aborters.values()) aborter.abort();
    forgetUpload();
    states.value = new Map(wanted.map(({ bytes }) => [bytes, { is: 'queued' }]));
  };

  /** Announces files to the upload. One that is over or full is left for another, to which all is sent again. */
  const announce = async (files: readonly AnnouncedFile[]): Promise<void> => {
    const before = upload?.id;
    const round = cancelled;
    const reserved = await transport.reserve(before, files).catch((error: unknown) => {
      const isOver = [400, 404, 409, 413].includes(getStatus(error));
      if (before === undefined || !isOver) throw error;
      void transport.cancel(before).catch(() => undefined);
      reset();
      isChanged = true;
    });
    if (!reserved) return;
    if (round !== cancelled) {
      void transport.cancel(reserved.id).catch(() => undefined);
      return;
    }
    upload = { id: reserved.id, expiresAt: reserved.expiresAt };
    const byPath = new Map(files.map(({ path, sha256 }) => [path, sha256]));
    for (const form of reserved.forms) forms.set(byPath.get(form.path) ?? '', form);
    for (const path of reserved.known) sent.add(byPath.get(path) ?? '');
  };

  /** Announces the queued files that have no form. */
  const announceQueued = async (): Promise<void> => {
    const queued = listQueued();
    await Promise.all(queued.map(({ bytes }) => hash(bytes)));
    if (upload && Date.parse(upload.expiresAt) - marginMs < now()) reset();
    noteSent();
    const lacking = new Map<string, AnnouncedFile>();
    for (const { path, bytes } of listQueued()) {
      const sha256 = hashes.get(bytes);
      if (sha256 === undefined || forms.has(sha256)) continue;
      lacking.set(sha256, { path: toAnnouncedPath(path, sha256), size: bytes.size, sha256 });
    }
    if (lacking.size > 0) await announce([...lacking.values()]);
    noteSent();
    if (isChanged) return;
    for (const { sha256 } of lacking.values()) {
      if (!forms.has(sha256) && !sent.has(sha256)) throw new Error('The answer lacks a form');
    }
  };

  const send = async ({ bytes }: WantedFile, form: UploadForm): Promise<void> => {
    const sha256 = hashes.get(bytes) ?? '';
    const aborter = new AbortController();
    aborters.set(bytes, aborter);
    set(bytes, { is: 'sending', part: 0 });
    try {
      const onProgress = (part: number) => {
        if (isState(bytes, 'sending')) set(bytes, { is: 'sending', part });
      };
      await transport.send(form, bytes, onProgress, aborter.signal);
      if (!aborter.signal.aborted) sent.add(sha256);
    } catch (error) {
      if (aborter.signal.aborted) return;
      if (getStatus(error) > 0) forms.delete(sha256);
      set(bytes, { is: 'failed', message: (error as Error).message });
    } finally {
      aborters.delete(bytes);
      noteSent();
      pump();
    }
  };

  /** Sends queued files while there is room. */
  const pump = (): void => {
    for (const file of listQueued()) {
      if (aborters.size >= concurrency) return;
      const sha256 = hashes.get(file.bytes) ?? '';
      const form = forms.get(sha256);
      const isTwin = [...aborters.keys()].some((bytes) => hashes.get(bytes) === sha256);
      if (form && !isTwin) void send(file, form);
    }
  };

  const prepare = async (): Promise<void> => {
    isChanged = true;
    if (isPreparing) return;
    isPreparing = true;
    try {
      while (isChanged) {
        isChanged = false;
        await announceQueued();
        pump();
      }
    } catch (error) {
      const { message } = error as Error;
      for (const { bytes } of listQueued()) {
        if (!forms.has(hashes.get(bytes) ?? '')) set(bytes, { is: 'failed', message });
      }
    } finally {
      isPreparing = false;
    }
  };

  const want = (files: readonly WantedFile[]): void => {
    wanted = files;
    const kept = new Set(files.map(({ bytes }) => bytes));
    for (const [bytes, aborter] of aborters) if (!kept.has(bytes)) aborter.abort();
    states.value = new Map(
      files.map(({ bytes }) => [bytes, states.value.get(bytes) ?? { is: 'queued' }]),
    );
    void prepare();
  };

  const isBusy = (): boolean =>
    [...states.value.values()].some(({ is }) => is === 'queued' || is === 'sending');

  return {
    states,
    want,
    hash,
    reset,
    retry: (one) => {
      for (const [bytes, { is }] of states.value) {
        if (is === 'failed' && (one === undefined || one === bytes)) set(bytes, { is: 'queued' });
      }
      void prepare();
    },
    stop: () => {
      const unsent = wanted.filter(({ bytes }) => !isState(bytes, 'sent'));
      want(wanted.filter((file) => !unsent.includes(file)));
      return unsent.map(({ path }) => path);
    },
    finish: () =>
      new Promise((resolve) => {
        const stop = states.subscribe(() => {
          if (isBusy()) return;
          // The first call comes before there is what ends it.
          queueMicrotask(() => stop());
          resolve();
        });
      }),
    getUpload: () => upload && { ...upload, sent: [...sent] },
    resume: (known, hashesSent) => {
      forgetUpload();
      upload = known;
      for (const one of hashesSent) sent.add(one);
    },
    cancel: async () => {
      const id = upload?.id;
      cancelled += 1;
      want([]);
      forgetUpload();
      if (id === undefined) return true;
      return transport.cancel(id).then(
        () => true,
        () => false,
      );
    },
  };
};
