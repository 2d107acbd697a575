import type { Theme } from './theme.ts';

const question = /\(\s*prefers-color-scheme\s*:\s*(dark|light)\s*\)/gi;

/** Answers what a media query asks of the system by the colors that the reader chose, if they did. */
export const answerTheme = (media: string, theme: Theme | undefined): string =>
  theme === undefined
    ? media
    : media.replace(question, (_, asked: string) =>
        asked.toLowerCase() === theme ? '(min-width: 0)' : '(max-width: 0)',
      );

/** Makes the pictures of a rendered text follow the colors that the reader chose. */
export const followTheme = (rendered: string, theme: Theme | undefined): string =>
  rendered.replace(/<source [^>]*>/g, (source) => answerTheme(source, theme));
