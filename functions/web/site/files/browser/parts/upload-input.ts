import { toast } from '../../../../browser/components/toast.tsx';
import { filesTexts as texts } from '../../texts.ts';
import { currentFolder, view } from './state.ts';

const upload = async (files: readonly File[]): Promise<void> => {
  const folder = currentFolder(view.value);
  const { startUploads } = await import('./tray.tsx');
  startUploads(files, folder);
};

/** Splits what is dropped: browsers can’t read folders as files. */
const readDrop = ({ items }: DataTransfer) => {
  const entries = [...items].filter(({ kind }) => kind === 'file');
  const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry?.()?.isDirectory === true;
  const files = entries.filter((item) => !isFolder(item)).map((item) => item.getAsFile());
  return { files: files.filter((file) => file !== null), hasFolder: entries.some(isFolder) };
};

const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer?.types.includes('Files') ?? false;

const acceptDrops = (): void => {
  const place = document.createElement('p');
  place.className = 'drop-place';
  place.hidden = true;
  place.setAttribute('aria-hidden', 'true');
  document.body.append(place);
  document.addEventListener('dragover', (event) => {
    if (!hasFiles(event) || !event.dataTransfer) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    place.textContent = texts.dropHere(currentFolder(view.value) || texts.shows.folders);
    place.hidden = false;
  });
  document.addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) place.hidden = true;
  });
  document.addEventListener('drop', (event) => {
    place.hidden = true;
    if (!hasFiles(event) || !event.dataTransfer) return;
    event.preventDefault();
    const { files, hasFolder } = readDrop(event.dataTransfer);
    if (files.length > 0) void upload(files);
    if (hasFolder) toast({ text: texts.noFoldersUp, kind: 'bad' });
  });
};

/** Takes files that are chosen or dropped. */
export const acceptUploads = (): void => {
  const input = document.createElement('input');
  Object.assign(input, { type: 'file', multiple: true, id: 'choose', hidden: true });
  input.setAttribute('aria-label', texts.choose);
  document.body.append(input);
  document.getElementById('upload')?.addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    void upload([...(input.files ?? [])]);
    // Allows choosing the same file again.
    input.value = '';
  });
  acceptDrops();
};
