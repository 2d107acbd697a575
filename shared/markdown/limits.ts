/** The maximum size of a result in UTF-8 bytes (decisions.md#markdown). */
export const maxResultBytes = 4 * 1024 * 1024;

/** The longest title that is found in a text. Code points. */
export const maxTitleLength = 200;
