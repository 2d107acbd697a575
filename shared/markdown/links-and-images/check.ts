import { isImageAddress, isLinkAddress, isSrcset, type Place } from './addresses.ts';
import { writeUnshownImage } from './unshown-images.ts';

// Well-formed HTML only: each value is in double quotes, with `<`, `>` and `"` escaped, as micromark writes it.
const tags =
  /<picture>((?:\s*<source [^>]*>)*)\s*<img( [^>]*|)>\s*<\/picture>|<(\/?a|img|source)( [^>]*|)>/g;
const source = /<source( [^>]*|)>/g;
const attribute = / ([a-z-]+)="([^"]*)"/g;

const readAttributes = (attributes: string): ReadonlyMap<string, string> =>
  new Map(Array.from(attributes.matchAll(attribute), ([, name = '', value = '']) => [name, value]));

const without = (attributes: string, name: 'href' | 'src' | 'srcset'): string =>
  attributes.replace(new RegExp(` ${name}="[^"]*"`), '');

/** Writes an image without the addresses that can't be loaded; if there is none left, why it isn't shown. */
const writeImage = (attributes: string, place: Place): string => {
  const read = readAttributes(attributes);
  const src = read.get('src');
  const srcset = read.get('srcset');
  const hasSrc = src !== undefined && isImageAddress(src, place);
  const hasSrcset = srcset !== undefined && isSrcset(srcset, place);
  if (!hasSrc && !hasSrcset) return writeUnshownImage(src ?? '', read.get('alt') ?? '');
  const checked = hasSrc ? attributes : without(attributes, 'src');
  return `<img${hasSrcset ? checked : without(checked, 'srcset')}>`;
};

/** Writes a choice for a picture, if it can be loaded: without one, browsers take the image. */
const writeSource = (attributes: string, place: Place): string => {
  const srcset = readAttributes(attributes).get('srcset');
  return srcset !== undefined && isSrcset(srcset, place) ? `<source${attributes}>` : '';
};

const writePicture = (sources: string, image: string, place: Place): string => {
  const written = writeImage(image, place);
  if (!written.startsWith('<img')) return written;
  const checked = sources.replace(source, (_, attributes: string) =>
    writeSource(attributes, place),
  );
  return `<picture>${checked}${written}</picture>`;
};

/**
 * Makes text of links that can't be followed, and says which images can't be shown, in a well-formed fragment. Takes time
 * linear in its length. The rules are the same for Markdown and raw HTML.
 */
export const checkLinksAndImages = (html: string, place: Place): string => {
  /** Whether each open link is written. */
  const open: boolean[] = [];
  const writeLink = (tag: string, attributes: string): string => {
    const read = readAttributes(attributes);
    const href = read.get('href');
    if (href !== undefined && isLinkAddress(href, place)) {
      open.push(true);
      return tag;
    }
    // Other links may lead to it.
    const isTarget = read.has('id') || read.has('name');
    open.push(isTarget);
    return isTarget ? `<a${without(attributes, 'href')}>` : '';
  };
  return html.replace(
    tags,
    (
      tag,
      sources: string | undefined,
      image: string,
      name: string | undefined,
      attributes: string,
    ) => {
      if (sources !== undefined) return writePicture(sources, image, place);
      if (name === 'a') return writeLink(tag, attributes);
      if (name === '/a') return open.pop() === false ? '' : tag;
      return name === 'img' ? writeImage(attributes, place) : writeSource(attributes, place);
    },
  );
};
