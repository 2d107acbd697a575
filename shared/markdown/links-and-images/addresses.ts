/** A page of a share that has files beside it. */
export interface PageWithFiles {
  /** Returns the address of the file that a path leads to, escaped for an attribute; `undefined` if there is none. */
  readonly toFile: (path: string) => string | undefined;
}

/**
 * Where HTML is shown: on a page of this service, whose text has files beside it or not, or wherever a caller of the API puts
 * it, who can resolve paths.
 */
export type Place = 'page' | 'anywhere' | PageWithFiles;

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

const decodeSigns = (address: string): string =>
  address.replace(/&(?:amp|lt|gt|quot|#39);/g, (reference) => signs[reference] ?? reference);

const signs: Readonly<Record<string, string>> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" },
};

const findFile = (address: string, place: Place): string | undefined =>
  typeof place === 'object' ? place.toFile(decodeSigns(address)) : undefined;

/** On a page: its own places, other hosts, and other shares. Other paths lead nowhere, unless they are of files beside it. */
const followedOnPages = /^(?:#|\/\/|\/s\/)/;

/** Returns the address of a link, both as escaped attributes; `undefined` if it can’t be followed. */
export const toLinkAddress = (value: string, place: Place): string | undefined => {
  const address = readAddress(value);
  if (address === '' || foreignReference.test(address)) return undefined;
  const scheme = readScheme(address);
  if (scheme !== undefined) return linkSchemes.includes(scheme) ? value : undefined;
  if (place === 'anywhere' || followedOnPages.test(address)) return value;
  return findFile(address, place);
};

/** Returns the address of an image, both as escaped attributes; `undefined` if it can’t be loaded. */
export const toImageAddress = (value: string, place: Place): string | undefined => {
  const address = readAddress(value);
  if (address === '' || foreignReference.test(address)) return undefined;
  const scheme = readScheme(address);
  if (scheme !== undefined) return imageSchemes.includes(scheme) ? value : undefined;
  return place === 'anywhere' ? value : findFile(address, place);
};

/** What parts a `srcset`. A comma within an address doesn't (https://html.spec.whatwg.org/#parse-a-srcset-attribute). */
const separators = /(\s+|,(?=[a-z][a-z\d+.-]*:))/i;
/** A width or a density, and commas before an address; then the address. */
const candidate = /^(,*(?:[\d.]+[wxh](?:,+|$))?)(.*?)(,?)$/s;

/** Returns a `srcset`, as an escaped attribute, with the addresses of its images; `undefined` unless all can be loaded. */
export const toSrcset = (value: string, place: Place): string | undefined => {
  let hasAddress = false;
  const parts: string[] = [];
  for (const [at, part] of value.split(separators).entries()) {
    const [, before = '', address = '', after = ''] = candidate.exec(part) ?? [];
    if (at % 2 === 1 || address === '') parts.push(part);
    else {
      const found = toImageAddress(address, place);
      if (found === undefined) return undefined;
      hasAddress = true;
      parts.push(before + found + after);
    }
  }
  return hasAddress ? parts.join('') : undefined;
};
