/**
 * Where HTML is shown: on a page of this service, whose text has no files beside it, or only those that are marked (`files`), or
 * wherever a caller of the API puts it, who can resolve paths.
 */
export type Place = 'page' | 'files' | 'anywhere';

/** The scheme that marks a file of the same share. */
export const ownFileScheme = 'share-file:';

/** The schemes of links, in Markdown and in raw HTML. */
export const linkSchemes: readonly string[] = ['https', 'http', 'mailto', 'tel', 'sms'];

/** The schemes of images: pages load nothing else, and a browser would block the rest on them. */
export const imageSchemes: readonly string[] = ['https'];

/** What an escaped attribute consists of. Other references could hide a scheme from what reads it here. */
const foreignReference = /&(?!(?:amp|lt|gt|quot|#39);)/;

/** Reads an escaped address as browsers do (https://url.spec.whatwg.org/#concept-basic-url-parser). */
const readAddress = (value: string): string => value.replace(/^[\0-\x20]+|[\t\n\r]+/g, '');

const readScheme = (address: string): string | undefined =>
  /^([a-z][a-z\d+.-]*):/i.exec(address)?.[1]?.toLowerCase();

/** On a page: its own places, other hosts, and other shares. Other paths lead nowhere: a share has no files beside it. */
const followedOnPages = /^(?:#|\/\/|\/s\/)/;

const isOwnFile = (address: string, place: Place): boolean =>
  place === 'files' && address.startsWith(ownFileScheme);

/** Returns whether a link with this address, as an escaped attribute, can be followed. */
export const isLinkAddress = (value: string, place: Place): boolean => {
  const address = readAddress(value);
  if (address === '' || foreignReference.test(address)) return false;
  const scheme = readScheme(address);
  if (scheme !== undefined) return linkSchemes.includes(scheme) || isOwnFile(address, place);
  return place === 'anywhere' || followedOnPages.test(address);
};

/** Returns whether an image with this address, as an escaped attribute, can be loaded. */
export const isImageAddress = (value: string, place: Place): boolean => {
  const address = readAddress(value);
  if (address === '' || foreignReference.test(address)) return false;
  const scheme = readScheme(address);
  if (scheme === undefined) return place === 'anywhere';
  return imageSchemes.includes(scheme) || isOwnFile(address, place);
};

/** What parts a `srcset`. A comma within an address doesn't (https://html.spec.whatwg.org/#parse-a-srcset-attribute). */
const separators = /\s+|,(?=[a-z][a-z\d+.-]*:)/i;
/** A width or a density, and commas before an address. */
const noAddress = /^,*(?:[\d.]+[wxh](?:,+|$))?/;

/** Returns whether all images of a `srcset`, as an escaped attribute, can be loaded. */
export const isSrcset = (value: string, place: Place): boolean => {
  const addresses = value
    .split(separators)
    .map((part) => part.replace(noAddress, ''))
    .filter(Boolean);
  return addresses.length > 0 && addresses.every((address) => isImageAddress(address, place));
};

/** An address of a `srcset`, which no comma ends, and its width or density. */
const candidate = /([^\s,]\S*[^\s,]|[^\s,])(\s+[\d.]+[wxh])?/g;

/** Replaces each address of a `srcset`, as an escaped attribute. */
export const mapSrcset = (value: string, map: (address: string) => string): string =>
  value.replace(candidate, (_, address: string, size = '') => `${map(address)}${size}`);
