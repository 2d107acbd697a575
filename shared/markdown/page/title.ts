import { maxTitleLength } from '../limits.ts';
import { withoutUnshownImages } from '../links-and-images/unshown-images.ts';
import { decodeText } from './decode-text.ts';

const frontTitle = /^<div class="front-matter" data-title="([^"]*)"/;

/** Returns the words of a heading as markup: its text, or of one that is only an image what it shows. */
const toWords = (heading: string): string => {
  const text = heading.replace(/<a class="anchor".*?<\/a>|<[^>]*>/gs, '').trim();
  return text === '' ? (/<img [^>]*?alt="([^"]*)"/.exec(heading)?.[1] ?? '') : text;
};

const toTitle = (words: string): string | undefined => {
  const text = decodeText(words).replace(/\s+/g, ' ').trim();
  return text ? [...text].slice(0, maxTitleLength).join('') : undefined;
};

/** Returns the `title` of the front matter of a rendered page. */
export const findFrontTitle = (rendered: string): string | undefined =>
  toTitle(frontTitle.exec(rendered)?.[1] ?? '');

/** Returns the title that a rendered page has by itself: that of its front matter, else the text of its first `h1`. */
export const findTitle = (rendered: string): string | undefined => {
  const [, heading = ''] = rendered.match(/<h1(?: [^>]*)?>(.*?)<\/h1>/s) ?? [];
  return findFrontTitle(rendered) ?? toTitle(toWords(withoutUnshownImages(heading)));
};
