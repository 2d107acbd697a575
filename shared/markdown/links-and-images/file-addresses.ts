/** What begins the addresses of a share’s files in its stored page. Authors’ own links have no such scheme. */
export const fileScheme = 'share-file:';

const attributes = / (?:href|src|srcset)="[^"]*?share-file:[^"]*"/g;

/** Makes the addresses of files in a stored page begin with what its reader gets them by, as an escaped attribute. */
export const setFileAddresses = (rendered: string, begin: string): string =>
  rendered.replace(attributes, (attribute) => attribute.replaceAll(fileScheme, begin));
