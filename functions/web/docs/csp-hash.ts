import { createHash } from 'node:crypto';

/** Returns the content security policy source that allows exactly this inline style or script. */
export const cspHash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
