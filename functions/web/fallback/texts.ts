/** Texts of the pages for unknown routes. */
export const fallbackTexts = {
  notFound: 'Page not found',
  notUsable: 'Not supported',
} as const;
