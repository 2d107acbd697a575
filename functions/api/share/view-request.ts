/** A request of the API to view a share. */
interface ViewRequest {
  readonly query: {
    readonly id?: string | undefined;
    readonly mine?: 'true' | 'false' | undefined;
    readonly password?: string | undefined;
    readonly link?: string | undefined;
  };
  readonly headers: {
    readonly 'x-share-password'?: string | undefined;
    readonly 'sec-purpose'?: string | undefined;
  };
}

/** Whether a browser prefetches the share, which may never be viewed. */
export const isPrefetch = ({ headers }: ViewRequest): boolean =>
  headers['sec-purpose']?.includes('prefetch') ?? false;

/** Returns the password of the header or the query. */
export const getPassword = ({ query, headers }: ViewRequest): string | undefined =>
  headers['x-share-password'] ?? query.password;

/**
 * Returns the id of the share that a request tries a password for. With `mine=true` it tries none, so that no one can
 * lock the owner out; prefetches are rejected.
 */
export const getTriedShare = (request: ViewRequest): string | undefined => {
  const triesNone = getPassword(request) === undefined || isPrefetch(request);
  return triesNone || request.query.mine === 'true' ? undefined : request.query.id;
};
