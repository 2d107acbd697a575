import type { MenuItem } from '../../../../browser/components/menu.tsx';
import { openWithField } from '../../../../browser/shell/single-keys.ts';
import { linkTexts } from '../../link-texts.ts';
import { filesTexts as texts } from '../../texts.ts';
import { currentFolder, type File, remove, rightsOf, url, view } from './state.ts';

/** Marks a file as a favorite, or no longer. */
export const toggleFavorite = async (file: File): Promise<void> =>
  (await import('./clicked.ts')).toggleFavorite(file);

const loadMoving = () => import('./moving.ts');

/** Moves files and folders to a folder, which can be undone. */
export const move = async (files: readonly File[], folder: string): Promise<void> =>
  (await loadMoving()).move(files, folder);

/** Lets the user choose where files are moved to. */
export const chooseFolder = async (files: readonly File[]): Promise<void> =>
  (await loadMoving()).chooseFolder(files);

/** Lets the user rename a file or folder. */
export const rename = (file: File): Promise<void> =>
  openWithField(async () => (await import('./name-dialog.tsx')).askName(file));

const share = async (file: File): Promise<void> =>
  (await import('./share-file.ts')).shareFile(file);

const shareAsLink = async (file: File): Promise<void> =>
  (await import('./link-dialog.tsx')).shareAsLink(file);

/** Lets the user create a folder in the one that is shown. */
export const createFolder = (): Promise<void> =>
  openWithField(async () =>
    (await import('./name-dialog.tsx')).askFolderName(currentFolder(view.value)),
  );

/** Returns the address that downloads a file. */
export const downloadUrl = ({ id }: File): string => `/api/files/${id}/download`;

/** Lists what the user can do with a file. */
export const listActions = (file: File): readonly MenuItem[] => {
  const { id, type, isFavorite } = file;
  const { isOwn, mayRename, mayMove, mayShare, mayLink, mayDelete } = rightsOf(file);
  const isFolder = type === 'folder';
  const items: (MenuItem | false)[] = [
    !isFolder && {
      label: texts.preview,
      icon: 'eye',
      run: () => url.change({ open: id }, 'push'),
    },
    !isFolder && { label: texts.download, icon: 'load', run: () => void download(file) },
    isOwn &&
      mayRename && {
        label: isFavorite ? texts.removeFavorite : texts.addFavorite,
        icon: 'star',
        run: () => toggleFavorite(file),
      },
    mayRename && { label: texts.rename, icon: 'pen', shortcut: 'F2', run: () => rename(file) },
    mayMove && { label: texts.move, icon: 'folder', run: () => chooseFolder([file]) },
    mayShare && { label: texts.share, icon: 'users', startsGroup: true, run: () => share(file) },
    mayLink && { label: linkTexts.shareAsLink, icon: 'link', run: () => shareAsLink(file) },
    mayDelete && {
      label: texts.delete,
      icon: 'trash',
      isBad: true,
      startsGroup: true,
      shortcut: 'Del',
      run: () => remove([file]),
    },
  ];
  return items.filter((item) => item !== false);
};

let isLeaving = false;

/** Returns whether the page is left for a download, which doesn’t leave it, and resets that. */
export const isLeftForDownload = (): boolean => {
  const isDownload = isLeaving;
  isLeaving = false;
  return isDownload;
};

/** Leaves for the download of a file. */
export const leaveForDownload = (file: File): void => {
  isLeaving = true;
  location.assign(downloadUrl(file));
};

/** Downloads a file, or says why it can’t be. */
export const download = async (file: File): Promise<void> =>
  (await import('./clicked.ts')).download(file, leaveForDownload);
