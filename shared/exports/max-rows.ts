/** The most rows of one part of an export. */
export const maxRows = 10_000;

/** The most rows of a file that the service prepares. */
export const maxFileRows = 1_000_000;
