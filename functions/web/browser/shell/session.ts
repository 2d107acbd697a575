import { can, type Permission } from '../../../../shared/permissions/permissions.ts';
import { type PageSession, type SignedIn, sessionId } from '../../layout/session.ts';

/** The session that the server rendered the page for. */
const session: PageSession = JSON.parse(
  document.getElementById(sessionId)?.textContent ?? '{"state":"signed-out"}',
);

/** The user of the page; `undefined` if signed out. */
export const signedIn: SignedIn | undefined = session.state === 'signed-in' ? session : undefined;

/** Returns whether the user has a permission. It decides what to show; the service checks it again. */
export const may = (permission: Permission | undefined): boolean =>
  permission === undefined || (signedIn !== undefined && can(signedIn.permissions, permission));
