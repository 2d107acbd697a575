import { computed, signal } from '@preact/signals';
import { getFileType, getPageKind } from '../../../../../../../shared/share-files/types.ts';
import { controls } from '../elements.ts';
import { bytes, noteChange } from '../state.ts';
import type { DraftFile, FileSet } from './model/draft-file.ts';

/** What the tree shows of a file. */
export type ShownFile = Pick<DraftFile, 'path' | 'size' | 'type'>;

const current = signal<FileSet | undefined>(undefined);

/** The files of the share; `undefined` while it is only a text. */
export const fileSet = computed(() => current.value);

/** The path of the main page; empty without files. */
export const main = computed(() => current.value?.main ?? '');

/** All files but the main page. */
export const others = computed((): readonly DraftFile[] => current.value?.others ?? []);

/** Whether the share is one file that is no page. */
export const isSingle = computed(() => main.value !== '' && getPageKind(main.value) === undefined);

/** All files; the main page first. */
export const allFiles = computed((): readonly ShownFile[] => {
  if (main.value === '' || isSingle.value) return others.value;
  const page = { path: main.value, size: bytes.value, type: getFileType(main.value) };
  return [page, ...others.value];
});

/** The path of the file that is open in the editor. */
export const opened = signal('');

/** Sets that the fields of the form can name. */
const sets = new Map<string, FileSet>();

/** The name of the set that the share has in the service, or of none. */
let unchanged = '';

/** Counts the changes of the files. */
let revision = 0;

/** Returns how often the files have changed. */
export const getRevision = (): number => revision;

/** Shows a set without changing the form. */
const show = (set: FileSet | undefined): void => {
  revision += 1;
  current.value = set;
  const isThere = allFiles.value.some(({ path }) => path === opened.value);
  if (!isThere) opened.value = set?.main ?? '';
};

/** Changes the files, as one step that can be discarded. */
export const setFiles = (set: FileSet): void => {
  const name = crypto.randomUUID();
  sets.set(name, set);
  controls.files.value = name;
  show(set);
  noteChange();
};

/** Leaves the share without files, as one step that can be discarded. */
export const clearFiles = (): void => {
  controls.files.value = '';
  show(undefined);
  noteChange();
};

/** Changes a text, whose editor can undo it. */
export const setText = (path: string, text: string): void => {
  const set = current.value;
  if (!set) return;
  const changed = set.others.map((file): DraftFile => {
    if (file.path !== path || file.text === text) return file;
    const written = new Blob([text]);
    return { path, type: file.type, size: written.size, bytes: written, text };
  });
  const next = { ...set, others: changed };
  if (controls.files.value === unchanged) {
    setFiles(next);
    return;
  }
  sets.set(controls.files.value, next);
  show(next);
  noteChange();
};

/** Adds bytes that were read of stored files, which changes nothing. */
export const noteBytes = (path: string, read: Blob, text: string | undefined): void => {
  for (const [name, set] of sets) {
    const filled = set.others.map((file) =>
      file.path === path && file.sha256 !== undefined && !file.bytes
        ? { ...file, bytes: read, ...(text !== undefined && { text }) }
        : file,
    );
    sets.set(name, { ...set, others: filled });
  }
  show(sets.get(controls.files.value));
};

/** Begins with a set: that of the stored share, or of a draft. */
export const beginWith = (set: FileSet | undefined, name: string, isStored: boolean): void => {
  if (set) sets.set(name, set);
  if (isStored) unchanged = name;
  controls.files.value = set ? name : '';
  show(set);
};

/** Shows the set that the form names, after its value was restored. */
export const restoreNamed = (): void => show(sets.get(controls.files.value));

/** Whether the service has stored files of the share. */
export const isAnyStored = (): boolean => unchanged !== '';

/** Whether the share has the files that the service has stored. */
export const isUnchanged = (): boolean => controls.files.value === unchanged;
