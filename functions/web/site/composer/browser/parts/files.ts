import { composerTexts as texts } from '../../texts.ts';
import { editor, setLanguage } from './content.ts';
import { contentError, controls, fileInput, form } from './elements.ts';
import { takeSnapshot } from './fields.ts';
import { FileError, readTextFile } from './file.ts';
import { noteChange, offerUndo } from './state.ts';

/** Replaces the content with that of a file. */
const takeFile = async (file: File | undefined): Promise<void> => {
  if (!file) return;
  contentError.textContent = '';
  try {
    const { name, language, text } = await readTextFile(file);
    const before = takeSnapshot();
    editor.setText(text);
    setLanguage(language);
    const { title } = controls;
    if (title.value === '') title.value = name.replace(/\.\w+$/, '').slice(0, 200);
    noteChange();
    if (before.content !== '') offerUndo(texts.replaced(name), before);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    contentError.textContent = error.message;
  }
};

const takeFrom = (event: Event, data: DataTransfer | null): boolean => {
  const [file] = data?.files ?? [];
  if (!file) return false;
  event.preventDefault();
  event.stopPropagation();
  if (!form.hidden) void takeFile(file);
  return true;
};

/** Takes files that are chosen, dropped or pasted. */
export const startFiles = (): void => {
  for (const button of document.querySelectorAll('[data-opens-file]')) {
    button.addEventListener('click', () => fileInput.click());
  }
  fileInput.addEventListener('change', async () => {
    await takeFile(fileInput.files?.[0]);
    // Allows choosing the same file again.
    fileInput.value = '';
  });
  document.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    form.classList.add('dropping');
  });
  document.addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) form.classList.remove('dropping');
  });
  // Before the editor, which would insert the text of a file.
  const options = { capture: true };
  const drop = (event: DragEvent) => {
    form.classList.remove('dropping');
    takeFrom(event, event.dataTransfer);
  };
  document.addEventListener('drop', drop, options);
  form.addEventListener('paste', (event) => takeFrom(event, event.clipboardData), options);
};
