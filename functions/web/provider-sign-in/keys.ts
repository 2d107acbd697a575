import { keyFamily } from '../../../shared/db/key.ts';

export const providerKeys = {
  /** Response of a provider that was used, by the hash of its state. */
  usedResponse: keyFamily('ANSWER#{hash}', 'USED'),
} as const;
