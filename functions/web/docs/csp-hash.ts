import { createHash } from 'node:crypto';

/** An inline style or script as a Content-Security-Policy names it, so that this very text is allowed and no other. */
export const cspHash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
