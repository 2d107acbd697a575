/** Who can open a share, from the narrowest to the widest (decisions.md#audience). */
export const audiences = ['private', 'people', 'members', 'link'] as const;

export type Audience = (typeof audiences)[number];

/** Whether an audience is wider than another. */
export const isWider = (one: Audience, other: Audience): boolean =>
  audiences.indexOf(one) > audiences.indexOf(other);

/** Returns the narrowest of audiences; those that aren't given limit nothing. */
export const getNarrowest = (...given: readonly (Audience | undefined)[]): Audience =>
  audiences.find((one) => given.includes(one)) ?? 'link';

/** The most people that a share can name. */
export const maxReaders = 50;
