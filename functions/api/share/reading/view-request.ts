import type { Actor } from '../../../../shared/auth/actor.ts';
import type { ClientInfo } from '../../../../shared/http/route.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { type Admission, admit } from './admission.ts';

/** A request of the API to view a share. */
interface ViewRequest {
  readonly actor: Actor | undefined;
  readonly query: {
    readonly id?: string | undefined;
    readonly mine?: 'true' | 'false' | undefined;
    readonly password?: string | undefined;
  };
  readonly headers: {
    readonly 'x-share-password'?: string | undefined;
    readonly 'sec-purpose'?: string | undefined;
  };
}

/** Whether a browser prefetches the share, which may never be viewed. */
export const isPrefetch = ({ headers }: Pick<ViewRequest, 'headers'>): boolean =>
  headers['sec-purpose']?.includes('prefetch') ?? false;

/**
 * Asserts that no service asks for a view, as a delivery of a webhook that is told of views would: each would make more.
 * @throws AppError VALIDATION_ERROR
 */
export const assertReader = ({ isService }: Pick<ClientInfo, 'isService'>): void => {
  if (!isService) return;
  throw new AppError('VALIDATION_ERROR', 'Deliveries of webhooks can’t view shares.', {
    details: [{ field: 'webhook-id', message: 'must not be sent' }],
  });
};

/** Returns the password of the header or the query. */
export const getPassword = ({
  query,
  headers,
}: Pick<ViewRequest, 'query' | 'headers'>): string | undefined =>
  headers['x-share-password'] ?? query.password;

/**
 * Creates what admits the reader of a request once: its limits and its view need the same admission. `getInput` returns an
 * object that only this request has.
 */
export const createAdmitOnce = <Request>(
  getInput: (request: Request) => object,
  admitReader: (request: Request) => Promise<Admission>,
) => {
  const admitted = new WeakMap<object, Promise<Admission>>();
  return (request: Request): Promise<Admission> => {
    const input = getInput(request);
    const admission = admitted.get(input) ?? admitReader(request);
    admitted.set(input, admission);
    return admission;
  };
};

/**
 * Admits who views a share by the API.
 * @throws AppError as `admit`
 */
export const admitViewer = createAdmitOnce(
  ({ query }: Pick<ViewRequest, 'actor' | 'query'>) => query,
  ({ actor, query: { id = '' } }) => admit(id, { actor }, { next: 'source' }),
);

/**
 * Returns the id of the share that a request tries a password for, so that neither its slug nor a link gives further tries. Who can't open it
 * whatever the password is refused here, and uses up no try of those who can. With `mine=true` it tries none, so that no one
 * can lock the owner out; prefetches are rejected.
 * @throws AppError as `admit`
 */
export const getTriedShare = async (request: ViewRequest): Promise<string | undefined> => {
  const { id, mine } = request.query;
  const triesNone = getPassword(request) === undefined || isPrefetch(request);
  if (triesNone || mine === 'true' || id === undefined) return undefined;
  return (await admitViewer(request)).share.id;
};
