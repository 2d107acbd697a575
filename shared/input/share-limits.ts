/** Ten years. */
export const maxExpirySeconds = 10 * 365 * 86_400;

/** The longest title that is given. UTF-16 units. */
export const maxTitleLength = 200;

/** The longest note of a share request. UTF-16 units. */
export const maxNoteLength = 1_000;

/** How many submissions a share request takes at most. */
export const maxSubmissions = 100;

/** The longest time that a share request is open: 30 days. */
export const maxRequestSeconds = 30 * 86_400;

/** The highest view limit. */
export const maxViews = 1_000_000;

/** The highest number of shares a day that a ceiling of an API token can allow. */
export const maxSharesPerDay = 10_000;
