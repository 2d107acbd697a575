import { imageTexts as texts } from '../../../shared/markdown/links-and-images/texts.ts';
import { nameImage } from '../../../shared/markdown/links-and-images/unshown-images.ts';

/** The notes of images that failed. Another source of a picture, such as that of the other theme, may load later. */
const notes = new WeakMap<HTMLImageElement, HTMLElement>();

const say = (image: HTMLImageElement): void => {
  // One for the other theme isn’t shown anyway.
  if (notes.has(image) || getComputedStyle(image).display === 'none') return;
  const note = document.createElement('span');
  note.className = 'unshown-image';
  note.textContent = `${nameImage(image.src, image.alt)} (${texts.notLoaded})`;
  notes.set(image, note);
  image.hidden = true;
  image.after(note);
};

const showAgain = (image: HTMLImageElement): void => {
  notes.get(image)?.remove();
  // One for the other theme stays hidden.
  image.hidden &&= !notes.delete(image);
};

/** Says of images of a text that fail to load what they are and why they aren’t shown, as of those that can’t be. */
export const followImages = (root: HTMLElement): void => {
  const follow = (type: 'error' | 'load', act: (image: HTMLImageElement) => void): void =>
    root.addEventListener(type, ({ target }) => target instanceof HTMLImageElement && act(target), {
      capture: true,
    });
  follow('error', say);
  follow('load', showAgain);
  for (const image of root.querySelectorAll('img')) {
    // It may have failed before. An image without a size of its own, such as an SVG, hasn't.
    if (image.complete && image.naturalWidth === 0) image.decode().catch(() => say(image));
  }
};
