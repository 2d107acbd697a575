/** Ten years. */
export const maxExpirySeconds = 10 * 365 * 86_400;

/** The longest title that is given. UTF-16 units. */
export const maxTitleLength = 200;

/** The highest view limit. */
export const maxViews = 1_000_000;

/** The highest number of shares a day that a ceiling of an API token can allow. */
export const maxSharesPerDay = 10_000;
