import type { Actor } from '../../../../shared/auth/actor.ts';
import { readToken, signToken } from '../../../../shared/auth/tokens.ts';
import { notFound } from '../record/share.ts';
import { isLinkReadable, requiresView } from './access.ts';
import { type Admission, type AdmittedShare, admit } from './admission.ts';

/** How long after opening it a reader can end a share. */
const lifetimeMs = 86_400_000;

/**
 * Issues a token that lets a reader end a share, if its owner allows that and it takes one: for a reader who opened a share
 * with a password or a limit, or the owner in the place of one.
 */
export const issueEndToken = async ({
  share,
  reading,
  link,
}: AdmittedShare): Promise<string | undefined> => {
  const { id, password, readersCanEnd } = share;
  const takesToken = reading === 'counted' || (reading === 'own' && requiresView(share));
  return readersCanEnd && takesToken
    ? signToken(
        'end',
        {
          sub: id,
          ...(password && { pwd: password.id }),
          ...(link !== undefined && { lnk: link }),
        },
        lifetimeMs,
      )
    : undefined;
};

const canEnd = async (admission: Admission, token: string | undefined): Promise<boolean> => {
  const { share } = admission;
  if (!share.readersCanEnd) return false;
  if (!requiresView(share)) return true;
  const claims = await readToken('end', token);
  if (claims?.sub !== share.id || claims.pwd !== share.password?.id) return false;
  return isLinkReadable(admission, claims.lnk);
};

/**
 * Admits a reader who may end a share: its owner allows it, and the reader could open it. That takes a token if it has a
 * password or a limit, and the link that the reader opened it with, if any (decisions.md#share-end).
 * @throws AppError as `admit`; NOT_FOUND for others
 */
export const admitToEnd = async (
  idOrSlug: string,
  { actor, token }: { readonly actor: Actor | undefined; readonly token: string | undefined },
): Promise<Admission> => {
  const admission = await admit(idOrSlug, { actor });
  if (!(await canEnd(admission, token))) throw notFound();
  return admission;
};
