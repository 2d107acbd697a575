/** The longest name that is announced. UTF-16 units. */
const maxNameLength = 150;

/**
 * Returns the path that bytes are announced under. An upload has one file of a path, and a text may be sent several times; a
 * share names them by their bytes.
 */
export const toAnnouncedPath = (path: string, sha256: string): string =>
  `${sha256.slice(0, 16)}/${path.slice(path.lastIndexOf('/') + 1).slice(-maxNameLength)}`;
