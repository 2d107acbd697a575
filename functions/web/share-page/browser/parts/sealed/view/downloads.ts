import { SealedError } from '../../../../../../../shared/sealed/envelope.ts';
import { openFile, type SealedFile } from '../../../../../browser/sealed/content.ts';
import { saveFile } from '../../../../../browser/snippet-file.ts';
import { fileName, sharedFileName } from '../../../../file-name.ts';
import { showMessage } from '../../toast.ts';
import type { OpenedShare } from '../opening.ts';
import { sealedTexts as texts } from '../texts.ts';
import { toShownName } from './file-list.ts';

/** How long a file may take. It has 4 MB at most. ms. */
const maxMs = 120_000;

/** Why a file isn’t saved, in words for readers. */
class DownloadError extends Error {}

const describeStatus = (status: number): string => {
  if (status === 404) return texts.fileGone;
  return status < 500 ? texts.fileTimeOver : texts.notReached;
};

const load = async (filesUrl: string, path: string): Promise<Uint8Array<ArrayBuffer>> => {
  const how = {
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    cache: 'no-store',
    signal: AbortSignal.timeout(maxMs),
  } as const;
  try {
    const response = await fetch(filesUrl + path, how);
    if (!response.ok) throw new DownloadError(describeStatus(response.status));
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw error instanceof DownloadError ? error : new DownloadError(texts.notReached);
  }
};

/** In code points. */
const maxEndingLength = 12;

/** Returns the name that a file is saved by: the last part of its own, with its ending however long it is. */
const toSavedName = ({ name }: SealedFile): string => {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const [, stem = last, ending = ''] = /^(.+)\.(\w+)$/s.exec(last) ?? [];
  return ending.length > maxEndingLength || ending === ''
    ? sharedFileName(last)
    : fileName(stem, ending);
};

/** Loads and opens a file, and saves it by the last part of its name. */
const download = async ({ share, key }: OpenedShare, file: SealedFile): Promise<void> => {
  if (share.filesUrl === undefined) throw new DownloadError(texts.fileTimeOver);
  const bytes = await openFile(key, file, await load(share.filesUrl, file.path));
  saveFile(new Blob([bytes]), toSavedName(file));
};

const describe = (error: unknown): string => {
  if (error instanceof DownloadError) return error.message;
  return error instanceof SealedError ? texts.fileDamaged : texts.notReached;
};

/** Says below a file why it isn’t saved. */
const showError = (button: HTMLElement, text: string): void => {
  const place = document.createElement('p');
  place.className = 'err';
  place.setAttribute('role', 'alert');
  place.textContent = text;
  button.after(place);
};

/** Makes the buttons of files download them, each once at a time. */
export const enableDownloads = (opened: OpenedShare): void => {
  for (const button of document.querySelectorAll<HTMLElement>('[data-downloads]')) {
    const file = opened.content.files[Number(button.dataset['downloads'])];
    if (!file) continue;
    button.addEventListener('click', async () => {
      if (button.hasAttribute('aria-busy')) return;
      button.setAttribute('aria-busy', 'true');
      button.parentElement?.querySelector('.err')?.remove();
      try {
        await download(opened, file);
        showMessage(texts.downloaded(toShownName(file)));
      } catch (error) {
        showError(button, describe(error));
      }
      button.removeAttribute('aria-busy');
    });
  }
};
