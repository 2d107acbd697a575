import { type Place, toImageAddress, toLinkAddress, toSrcset } from './addresses.ts';
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

/** Replaces the value of an attribute that is there. */
const withValue = (
  attributes: string,
  name: 'href' | 'src' | 'srcset',
  before: string,
  value: string,
): string =>
  value === before
    ? attributes
    : attributes.replace(` ${name}="${before}"`, () => ` ${name}="${value}"`);

/** Writes an image without the addresses that can't be loaded; if there is none left, why it isn't shown. */
const writeImage = (attributes: string, place: Place): string => {
  const read = readAttributes(attributes);
  let written = attributes;
  let isShown = false;
  for (const [name, toAddress] of imageAttributes) {
    const value = read.get(name);
    const address = value === undefined ? undefined : toAddress(value, place);
    isShown ||= address !== undefined;
    written =
      value === undefined || address === undefined
        ? without(written, name)
        : withValue(written, name, value, address);
  }
  return isShown
    ? `<img${written}>`
    : writeUnshownImage(read.get('src') ?? '', read.get('alt') ?? '');
};

const imageAttributes = [
  ['src', toImageAddress],
  ['srcset', toSrcset],
] as const;

/** Writes a choice for a picture, if it can be loaded: without one, browsers take the image. */
const writeSource = (attributes: string, place: Place): string => {
  const value = readAttributes(attributes).get('srcset');
  const srcset = value === undefined ? undefined : toSrcset(value, place);
  return value === undefined || srcset === undefined
    ? ''
    : `<source${withValue(attributes, 'srcset', value, srcset)}>`;
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
    const address = href === undefined ? undefined : toLinkAddress(href, place);
    if (href !== undefined && address !== undefined) {
      open.push(true);
      return address === href ? tag : `<a${withValue(attributes, 'href', href, address)}>`;
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
