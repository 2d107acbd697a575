import type { ConsoleMessage } from 'playwright-core';

/** Browsers log error responses such as 401 themselves, and don't know this directive yet. */
const expected = [
  'Failed to load resource: the server responded',
  "Unrecognized Content-Security-Policy directive 'webrtc'",
];

/** Whether a browser complains about a page on its console. */
export const isComplaint = (message: ConsoleMessage): boolean =>
  ['error', 'warning'].includes(message.type()) &&
  !expected.some((start) => message.text().startsWith(start));
