import { keyFamily } from '../../../../shared/db/key.ts';

export const clientKeys = {
  /** What the metadata document of an OAuth client said, by the hash of its client id. */
  metadata: keyFamily('APPCLIENT#{hash}', 'APPCLIENT'),
} as const;
