import { resolveShareId } from '../record/slugs.ts';

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

/** The shares that requests identify: their limits and their views need them. */
const resolved = new WeakMap<object, Promise<string>>();

/**
 * Returns the id of the share that a query identifies by id or slug. A slug is read once per request.
 * @throws AppError NOT_FOUND if no share has the slug
 */
export const resolveTriedShare = (query: object, idOrSlug: string): Promise<string> => {
  const id = resolved.get(query) ?? resolveShareId(idOrSlug);
  resolved.set(query, id);
  return id;
};

/**
 * Returns the id of the share that a request tries a password for, so that its slug gives no further tries. With
 * `mine=true` it tries none, so that no one can lock the owner out; prefetches are rejected.
 * @throws AppError NOT_FOUND if no share has the slug
 */
export const getTriedShare = async (request: ViewRequest): Promise<string | undefined> => {
  const { id, mine } = request.query;
  const triesNone = getPassword(request) === undefined || isPrefetch(request);
  if (triesNone || mine === 'true' || id === undefined) return undefined;
  return resolveTriedShare(request.query, id);
};
