import { userKeys } from '../../../../shared/auth/keys.ts';
import { readToken, signToken } from '../../../../shared/auth/tokens.ts';
import { isSuspended, parseUser } from '../../../../shared/auth/user.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { isOpenToAll } from '../record/audience.ts';
import { isPassword } from '../record/share-password.ts';
import {
  getRequestStatus,
  loadRequest,
  requestGone,
  requestNotFound,
  type StoredRequest,
} from './request.ts';

/** A request as a visitor gets it. */
export interface VisitedRequest {
  readonly request: StoredRequest;
  /** Who asks. */
  readonly owner: {
    readonly name: string;
    /** Whether the address of the account is proven. */
    readonly isProven: boolean;
  };
}

/**
 * Reads a request and its owner for someone who has its address, whether it still takes content or not.
 * @throws AppError NOT_FOUND, also where the settings let nobody open shares by a link; GONE while its owner is suspended, and
 *   if it was taken down
 */
export const visitRequest = async (id: string): Promise<VisitedRequest> => {
  if (!isOpenToAll({})) throw requestNotFound();
  const request = await loadRequest(id);
  // By the same request, because a suspension or removal holds at once.
  const [item] = await batchGet([userKeys.record.at({ id: request.ownerId })]);
  const owner = parseUser(item);
  if (!owner) throw requestNotFound();
  if (isSuspended(owner)) throw requestGone('closed');
  if (request.takenDownAt !== undefined) throw requestGone('taken-down');
  return {
    request,
    owner: { name: owner.name, isProven: owner.emailVerifiedAt !== undefined },
  };
};

/** @throws AppError GONE if a request takes nothing more */
export const assertTakes = (request: StoredRequest): void => {
  const status = getRequestStatus(request);
  if (status !== 'open') throw requestGone(status);
};

/** How long a form can be filled in after the password of its request was entered. */
const passLifetimeMs = 86_400_000;

/** What a visitor gives to hand something in: the password of the request, or a pass for having entered it before. */
export interface GivenPassword {
  readonly password?: string | undefined;
  readonly pass?: string | undefined;
}

/** Whether a request takes no password, or a visitor has given the current one, if need be before. */
export const isAdmitted = async (
  { id, password }: StoredRequest,
  { password: given, pass }: GivenPassword,
): Promise<boolean> => {
  if (!password) return true;
  const claims = await readToken('submit', pass);
  if (claims?.sub === id && claims.pwd === password.id) return true;
  return given !== undefined && (await isPassword(given, password));
};

/** Issues a pass for the form of a request whose password was entered; `undefined` for one without a password. */
export const issuePass = async ({ id, password }: StoredRequest): Promise<string | undefined> =>
  password && signToken('submit', { sub: id, pwd: password.id }, passLifetimeMs);
