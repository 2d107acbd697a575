import { answerTheme } from '../../layout/picture-theme.ts';
import { theme } from '../shell/preferences.ts';

/** The media query that each choice of a picture was written with. */
const written = new WeakMap<HTMLSourceElement, string>();

const dark = matchMedia('(prefers-color-scheme: dark)');

/** Makes the pictures of the page follow the colors that the user chose, also those that GitHub's marks are for. */
export const followThemes = (): void => {
  const chosen = theme.read();
  const shown = chosen === 'system' ? (dark.matches ? 'dark' : 'light') : chosen;
  for (const image of document.querySelectorAll<HTMLElement>('img[src*="#gh-"]')) {
    image.hidden = image.matches(`[src$="${shown === 'dark' ? 'light' : 'dark'}-mode-only"]`);
  }
  for (const source of document.querySelectorAll('source')) {
    const media = written.get(source) ?? source.media;
    written.set(source, media);
    source.media = answerTheme(media, chosen === 'system' ? undefined : chosen);
  }
};

dark.addEventListener('change', followThemes);
new MutationObserver(followThemes).observe(document.documentElement, {
  attributeFilter: ['data-theme'],
});
