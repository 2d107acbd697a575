import { fileInput } from '../elements.ts';
import { missing } from './checking.ts';
import { placeMissing } from './model/incoming.ts';
import { takeAt } from './taking.ts';

/** Opens the browser’s choice of files. */
export const chooseFiles = (): void => fileInput.click();

/** Opens the browser’s choice of a folder. */
export const chooseFolder = (): void => {
  const reset = () => {
    fileInput.webkitdirectory = false;
  };
  fileInput.webkitdirectory = true;
  for (const end of ['change', 'cancel']) fileInput.addEventListener(end, reset, { once: true });
  fileInput.click();
};

/** Opens the browser’s choice of files that are missing. Those of their names get their paths. */
export const chooseMissing = (): void => {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.hidden = true;
  fileInput.after(input);
  for (const end of ['change', 'cancel']) input.addEventListener(end, () => input.remove());
  input.addEventListener('change', () => {
    const chosen = [...(input.files ?? [])].map((file) => ({ path: file.name, bytes: file }));
    void takeAt(placeMissing(chosen, [...new Set(missing.value.map(({ path }) => path))]));
  });
  input.click();
};
