import { ownFileScheme } from './addresses.ts';

const attributes = / (?:href|src|srcset)="[^"]*"/g;

/** Replaces the marks of a share’s own files in its page by what their addresses begin with, which is an escaped attribute. */
export const placeOwnFiles = (page: string, base: string): string =>
  page.includes(ownFileScheme)
    ? page.replace(attributes, (attribute) => attribute.replaceAll(ownFileScheme, base))
    : page;
