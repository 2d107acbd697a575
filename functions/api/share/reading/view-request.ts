import type { Actor } from '../../../../shared/auth/actor.ts';
import type { ClientInfo } from '../../../../shared/http/route.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import type { StoredShare } from '../record/share.ts';
import { type Admission, admit } from './admission.ts';
import { readClaimedViews, toViewIds } from './form-views.ts';
import type { Given } from './open.ts';

/** A request of the API to view a share. */
interface ViewRequest {
  readonly actor: Actor | undefined;
  readonly cookies: readonly string[];
  readonly query: {
    readonly id?: string | undefined;
    readonly mine?: 'true' | 'false' | undefined;
    readonly password?: string | undefined;
  };
  readonly headers: {
    readonly 'x-share-password'?: string | undefined;
    readonly 'x-share-proof'?: string | undefined;
    readonly 'x-share-claim'?: string | undefined;
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

/** Returns the password of the header or the query, and the proof. */
export const getGiven = ({ query, headers }: Pick<ViewRequest, 'query' | 'headers'>): Given => ({
  password: headers['x-share-password'] ?? query.password,
  proof: headers['x-share-proof'],
});

/** Returns the views that a request may belong to: those of its nonce in the last minute, if it has one. */
export const readOwnViews = (
  { actor, query: { id = '' }, headers }: Pick<ViewRequest, 'actor' | 'query' | 'headers'>,
  share: StoredShare,
) =>
  readClaimedViews({ nonce: headers['x-share-claim'], address: id, userId: actor?.user.id }, share);

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
 * Returns the cookies that prove a code of the link, where the request brings a proof of the key: no page of another site can send that
 * header, so none can use up a view by leading a browser here.
 */
const getProvingCookies = ({ headers, cookies }: ViewRequest): readonly string[] | undefined =>
  headers['x-share-proof'] === undefined ? undefined : cookies;

/**
 * Admits who views a share by the API.
 * @throws AppError as `admit`
 */
export const admitViewer = createAdmitOnce(
  ({ query }: ViewRequest) => query,
  (request) => {
    const { actor, query } = request;
    const cookies = getProvingCookies(request);
    const claimed = (share: StoredShare) => toViewIds(readOwnViews(request, share));
    const asker = { actor, cookies, toViewIds: claimed };
    return admit(query.id ?? '', asker, { next: 'source' });
  },
);

/** Returns the share that a request tries a password or proof for. @throws AppError as `admit` */
const findTried = async (request: ViewRequest): Promise<StoredShare | undefined> => {
  const { id, mine } = request.query;
  if (mine === 'true' || id === undefined || isPrefetch(request)) return undefined;
  const { password, proof } = getGiven(request);
  if (password === undefined && proof === undefined) return undefined;
  const { share } = await admitViewer(request);
  const given = share.sealed ? proof : password;
  return given === undefined ? undefined : share;
};

/**
 * Returns the id of the share that a request tries a password or passphrase for, so that neither its slug nor a link gives further tries. Who can't open it
 * whatever the password is refused here, and uses up no try of those who can. With `mine=true` it tries none, so that no one
 * can lock the owner out; prefetches are rejected.
 * @throws AppError as `admit`
 */
export const getTriedShare = async (request: ViewRequest): Promise<string | undefined> => {
  const share = await findTried(request);
  return share?.sealed && !share.sealed.passphrase ? undefined : share?.id;
};

/**
 * Returns the key of the limit of a network that tries keys of sealed shares which nobody can guess. Counted by share, they would
 * let anyone keep its readers out.
 * @throws AppError as `admit`
 */
export const getTriedKey = async (request: ViewRequest): Promise<string | undefined> => {
  const share = await findTried(request);
  return share?.sealed && !share.sealed.passphrase ? '' : undefined;
};
