import { createHash } from 'node:crypto';
import { afterEach, beforeEach } from 'vitest';

export const edgeSecret = 'the secret that only the CDN of the tests knows';

/** Returns the setting of functions behind a CDN that sends one of these secrets. */
export const toHashes = (...secrets: readonly string[]): string =>
  secrets.map((secret) => createHash('sha256').update(secret).digest('hex')).join(',');

/** Makes the service of this process accept only requests with one of these secrets; without one, all requests. */
export const acceptOnly = (...secrets: readonly string[]): void => {
  if (secrets.length === 0) delete process.env['EDGE_SECRET_HASHES'];
  else process.env['EDGE_SECRET_HASHES'] = toHashes(...secrets);
};

/** Puts the service of this process behind the CDN during each test. */
export const useEdgeSecret = (): void => {
  beforeEach(() => acceptOnly(edgeSecret));
  afterEach(() => acceptOnly());
};

/** Does something as if no CDN stood before the service. */
export const withoutEdge = async <Result>(act: () => Promise<Result>): Promise<Result> => {
  acceptOnly();
  try {
    return await act();
  } finally {
    acceptOnly(edgeSecret);
  }
};
