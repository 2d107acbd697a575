import { createHash } from 'node:crypto';

/** Returns the text by which a client is stored: a client id is an address or a token of any length. */
export const hashClientId = (clientId: string): string =>
  createHash('sha256').update(clientId).digest('base64url');
