import { type Claims, readToken, signToken } from '../../../../shared/auth/tokens.ts';
import { notFound } from '../record/share.ts';
import { type Asker, requiresView } from './access.ts';
import { type Admission, type AdmittedShare, admit } from './admission.ts';

/** How long after opening it a reader can end a share. */
const lifetimeMs = 86_400_000;

const sign = ({ share, addressId }: Pick<Admission, 'share' | 'addressId'>): Promise<string> => {
  const { password } = share;
  return signToken('end', { sub: addressId, ...(password && { pwd: password.id }) }, lifetimeMs);
};

/**
 * Issues a token that lets a reader end a share, if its owner allows that and it takes one: for a reader who opened a share
 * with a password or a limit or by a recipient link, or the owner in the place of one.
 */
export const issueEndToken = async (admitted: AdmittedShare): Promise<string | undefined> => {
  const { share, reading, link } = admitted;
  const takesToken = reading === 'counted' || (reading === 'own' && requiresView(share, link));
  return share.readersCanEnd && takesToken ? sign(admitted) : undefined;
};

/**
 * Issues what `issueEndToken` does for a sealed share, which no form opens. The caller has to give it only with the envelope, to who
 * has proven the key.
 */
export const issueSealedEndToken = async (admission: Admission): Promise<string | undefined> =>
  admission.share.sealed && admission.share.readersCanEnd ? sign(admission) : undefined;

const canEnd = (admission: Admission, claims: Claims<'end'> | undefined): boolean => {
  const { share, link, addressId } = admission;
  if (!share.readersCanEnd) return false;
  if (!requiresView(share, link)) return true;
  return claims?.sub === addressId && claims.pwd === share.password?.id;
};

/**
 * Admits a reader who may end a share: its owner allows it, and the reader could open it. That takes a token if it has a
 * password or a limit, or is opened by a recipient link, which may have had its last view since (decisions.md#share-end).
 * @throws AppError as `admit`; NOT_FOUND for others
 */
export const admitToEnd = async (
  address: string,
  { token, ...asker }: Pick<Asker, 'actor' | 'cookies'> & { readonly token: string | undefined },
): Promise<Admission> => {
  const claims = await readToken('end', token);
  const afterEnd = claims?.sub === address ? 'views' : undefined;
  const admission = await admit(address, { ...asker, afterEnd });
  if (!canEnd(admission, claims)) throw notFound();
  return admission;
};
