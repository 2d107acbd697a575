import { answerTheme } from '../../layout/picture-theme.ts';
import { isDark, onColorsChange } from '../shell/colors.ts';

/** The media query that each choice of a picture was written with. */
const written = new WeakMap<HTMLSourceElement, string>();

/** Makes the pictures of the page follow its colors, also those that GitHub's marks are for. */
export const followThemes = (): void => {
  const [shown, other] = isDark() ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  for (const image of document.querySelectorAll<HTMLElement>('img[src*="#gh-"]')) {
    image.hidden = image.matches(`[src$="${other}-mode-only"]`);
  }
  for (const source of document.querySelectorAll('source')) {
    const media = written.get(source) ?? source.media;
    written.set(source, media);
    source.media = answerTheme(media, shown);
  }
};

onColorsChange(followThemes);
