/** Texts of the pages of errors. */
export const errorPageTexts = {
  forbidden: 'You don’t have permission to open this page. Ask an administrator for access.',
  titles: {
    FORBIDDEN: 'No access',
    NOT_FOUND: 'Page not found',
    METHOD_NOT_ALLOWED: 'Not supported',
    GONE: 'No longer available',
    RATE_LIMITED: 'Too many attempts',
    SERVICE_UNAVAILABLE: 'Temporarily unavailable',
    INTERNAL_ERROR: 'Something went wrong',
  } as Readonly<Record<string, string>>,
  other: 'This didn’t work',
  texts: {
    NOT_FOUND: 'The address is wrong, or the page was removed.',
    SERVICE_UNAVAILABLE: 'The service is busy. Try again in a moment.',
    INTERNAL_ERROR: 'This is our fault. Try again later.',
  } as Readonly<Record<string, string>>,
  toStart: 'Go to start page',
  about: (status: number, requestId: string) => `Error ${status} · Request ${requestId}`,
} as const;
