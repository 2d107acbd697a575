import { imageTexts as texts } from './texts.ts';

/** Longer names say nothing. UTF-16 units. */
const maxNameLength = 80;

const start = '<span class="unshown-image">';
const end = ` (${texts.notShown})</span>`;

const unshownImage = new RegExp(`${start}([^<]*?)${end.replace(/[()]/g, '\\$&')}`, 'g');

/** Returns the name of the file at an address, without a query. An image within its address has none. */
const readFileName = (address: string): string | undefined => {
  if (/^\s*data:/i.test(address)) return undefined;
  const [path = ''] = address.split(/[?#]/, 1);
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name === '' || name.length > maxNameLength || name.includes(':') ? undefined : name;
};

/** Returns what to call an image that isn't shown: its description, or else the name of its file. */
export const nameImage = (address: string, description: string): string =>
  description.trim() || readFileName(address) || texts.image;

/** Writes what stands in place of an image that can't be shown. Both are escaped attributes. */
export const writeUnshownImage = (address: string, description: string): string =>
  `${start}${nameImage(address, description)}${end}`;

/** Removes what stands in place of images, for what is made of a heading's words. */
export const withoutUnshownImages = (html: string): string => html.replace(unshownImage, '');

/** The images of a text that can't be shown: the escaped name of the first, and how many. */
export interface UnshownImages {
  readonly first: string;
  readonly count: number;
}

/** Finds the images of a checked fragment that aren't shown. */
export const findUnshownImages = (html: string): UnshownImages | undefined => {
  let first: string | undefined;
  let count = 0;
  for (const [, name = ''] of html.matchAll(unshownImage)) {
    first ??= name;
    count++;
  }
  return first === undefined ? undefined : { first, count };
};
