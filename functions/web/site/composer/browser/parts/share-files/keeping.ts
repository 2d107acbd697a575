import type { DraftFile, FileSet } from './model/draft-file.ts';
import type { UploadId } from './uploads/uploads.ts';

/** What is stored of a draft: its files, and what was uploaded of them. */
export interface KeptFiles {
  /** The id of the edited share; `undefined` for a new one. */
  readonly id: string | undefined;
  readonly set: FileSet;
  readonly upload: (UploadId & { readonly sent: readonly string[] }) | undefined;
}

/** A file as it is stored: its bytes are stored once, however often the draft is. */
interface StoredFile extends Omit<DraftFile, 'bytes'> {
  readonly content?: number;
}

const [drafts, contents] = ['drafts', 'contents'] as const;

const toPromise = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

let database: Promise<IDBDatabase> | undefined;

const open = (): Promise<IDBDatabase> => {
  database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('handbill-draft-files', 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(drafts);
      request.result.createObjectStore(contents, { autoIncrement: true });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return database;
};

const getKey = (id: string | undefined): string => (id === undefined ? 'new' : 'edit');

/** The numbers of bytes that are stored. */
const numbers = new WeakMap<Blob, number>();

const toStored = async (
  store: IDBObjectStore,
  present: ReadonlySet<IDBValidKey>,
  { bytes, ...file }: DraftFile,
): Promise<StoredFile> => {
  if (!bytes) return file;
  const known = numbers.get(bytes);
  // Those of a removed file are deleted, and may come back by Undo.
  const isPresent = known !== undefined && present.has(known);
  const content = isPresent ? known : Number(await toPromise(store.put(bytes)));
  numbers.set(bytes, content);
  return { ...file, content };
};

/** Deletes the bytes that no draft has. */
const deleteUnused = async (transaction: IDBTransaction): Promise<void> => {
  const kept = await toPromise(transaction.objectStore(drafts).getAll());
  const used = new Set(
    kept.flatMap((draft) => draft.files.map(({ content }: StoredFile) => content)),
  );
  const store = transaction.objectStore(contents);
  for (const key of await toPromise(store.getAllKeys())) if (!used.has(key)) store.delete(key);
};

/** Keeps the files of a draft in the browser. Returns whether it could. */
export const keepFiles = async ({ id, set, upload }: KeptFiles): Promise<boolean> => {
  try {
    const transaction = (await open()).transaction([drafts, contents], 'readwrite');
    const store = transaction.objectStore(contents);
    const present = new Set(await toPromise(store.getAllKeys()));
    const files = await Promise.all(set.others.map((file) => toStored(store, present, file)));
    await toPromise(
      transaction.objectStore(drafts).put({ id, main: set.main, files, upload }, getKey(id)),
    );
    await deleteUnused(transaction);
    return true;
  } catch {
    return false;
  }
};

/** Returns the upload of the draft of another share that is kept in the place of this one. */
export const findOtherUpload = async (id: string | undefined): Promise<string | undefined> => {
  try {
    const store = (await open()).transaction(drafts).objectStore(drafts);
    const kept = await toPromise(store.get(getKey(id)));
    return kept && kept.id !== id ? kept.upload?.id : undefined;
  } catch {
    return undefined;
  }
};

/** Returns the kept files of the draft of a share, or of a new one; `undefined` without them. */
export const readKeptFiles = async (id: string | undefined): Promise<KeptFiles | undefined> => {
  try {
    const transaction = (await open()).transaction([drafts, contents]);
    const kept = await toPromise(transaction.objectStore(drafts).get(getKey(id)));
    if (kept?.id !== id) return undefined;
    const store = transaction.objectStore(contents);
    const others = await Promise.all(
      kept.files.map(async ({ content, ...file }: StoredFile): Promise<DraftFile> => {
        if (content === undefined) return file;
        const bytes: Blob = await toPromise(store.get(content));
        numbers.set(bytes, content);
        return { ...file, bytes };
      }),
    );
    return { id, set: { main: kept.main, others }, upload: kept.upload };
  } catch {
    return undefined;
  }
};

/** Deletes the kept files of a draft. */
export const forgetKeptFiles = async (id: string | undefined): Promise<void> => {
  try {
    const transaction = (await open()).transaction([drafts, contents], 'readwrite');
    transaction.objectStore(drafts).delete(getKey(id));
    await deleteUnused(transaction);
  } catch {
    // The browser has no storage.
  }
};
