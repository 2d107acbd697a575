/** Texts of the pages for unknown addresses. */
export const fallbackTexts = {
  notFound: 'Page not found',
  notFoundText: 'There is nothing at this address.',
  notUsable: 'This can’t be done here',
  toStart: 'Go to the start page',
} as const;
