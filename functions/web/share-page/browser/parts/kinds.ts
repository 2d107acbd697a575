// What only the pages of files that are more than lines need.
import { updateTabStops } from '../../../browser/code-blocks.ts';
import { onExchange } from './live/exchanges.ts';

/** Says how large the picture is that is all of a share. */
const showDimensions = (root: HTMLElement): void => {
  const place = root.querySelector('[data-dimensions]');
  const image = root.querySelector<HTMLImageElement>('.picture img');
  if (!place || !image) return;
  const show = () => {
    const { naturalWidth, naturalHeight } = image;
    if (naturalWidth > 0) place.textContent = ` · ${naturalWidth} × ${naturalHeight}`;
  };
  image.addEventListener('load', show);
  if (image.complete) show();
};

const findChoice = (root: HTMLElement, value: string) =>
  root.querySelector<HTMLInputElement>(`.views [value="${value}"]`);

/** Shows the lines that the address names: a table or a tree is before them. */
const showLines = (root: HTMLElement): void => {
  const [, id] = /^#(L\d+)/.exec(location.hash) ?? [];
  const line = id === undefined ? null : document.getElementById(id);
  const text = findChoice(root, 'text');
  if (!line || !text) return;
  if (!text.checked) text.click();
  line.scrollIntoView({ block: 'center' });
};

/** Makes the switch of a file follow the address and edits, and says how large a picture is. */
export const followKinds = (root: HTMLElement): void => {
  let chosen: string | undefined;
  root.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === 'FileView') chosen = target.value;
    updateTabStops(root);
  });
  addEventListener('hashchange', () => showLines(root));
  showLines(root);
  showDimensions(root);
  onExchange(() => {
    const choice = chosen === undefined ? null : findChoice(root, chosen);
    if (choice) choice.checked = true;
    showDimensions(root);
    updateTabStops(root);
  });
};
