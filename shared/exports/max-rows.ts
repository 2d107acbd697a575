/** The most rows of one part of an export. */
export const maxRows = 10_000;
