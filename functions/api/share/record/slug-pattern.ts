export const maxSlugLength = 64;

/** What a slug looks like. No id of a share does. */
export const slugPattern = /^[a-z0-9-]{3,64}$/;
