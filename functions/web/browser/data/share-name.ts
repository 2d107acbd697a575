import { languageTexts, shareListTexts } from '../texts.ts';

/** What names a share in a list. */
interface NamedShare {
  readonly title: string | null;
  readonly language: keyof typeof languageTexts;
}

/** Returns the title of a share, or what to call it without one. */
export const getShareName = ({ title, language }: NamedShare): string =>
  title ?? shareListTexts.untitled(languageTexts[language]);
