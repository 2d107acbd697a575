/** Writes the path of a file for an address. */
export const encodePath = (path: string): string =>
  path.split('/').map(encodeURIComponent).join('/');
