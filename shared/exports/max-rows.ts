/** The most rows of one part of an export. */
export const maxRows = 10_000;

/** The most rows of a file that the service prepares: with the CPU of its function, 15 minutes are enough for those of any list. */
export const maxFileRows = 250_000;
