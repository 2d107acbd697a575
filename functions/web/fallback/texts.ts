/** Texts of the pages for unknown routes. */
export const fallbackTexts = {
  notFound: 'Page not found',
  notFoundText: 'The address is wrong, or the page was removed.',
  notUsable: 'Not supported',
  toStart: 'Go to start page',
} as const;
