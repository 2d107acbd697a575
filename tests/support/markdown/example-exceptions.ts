/** The numbers of the examples that are converted otherwise on purpose, by reason. */
export type Exceptions = Readonly<Record<string, readonly number[]>>;

export const commonMarkExceptions: Exceptions = {};

export const gfmExceptions: Exceptions = {};
