import { randomBytes } from 'node:crypto';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { startIssuer } from '../issuer/issuer.ts';
import { people } from './team.ts';

/** Who can sign in there: the team, and someone who has no account. */
const persons = [
  ...people.map(({ username, name }) => ({ username, name })),
  { username: 'robin', name: 'Robin Vale' },
].map(({ username, name }) => ({
  sub: username,
  name,
  email: `${username}@heron.example.com`,
  email_verified: true,
}));

const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';

/**
 * Starts the demo's own provider, where anyone can be anyone of its team, and returns its settings. It keeps its port over starts if
 * it can, because accounts are connected by its address.
 */
export const startDemoIssuer = async (port: number): Promise<Readonly<Record<string, string>>> => {
  const clientId = 'handbill-demo';
  const clientSecret = randomBytes(24).toString('base64url');
  const redirectUri = () => `${getSetting('PUBLIC_URL')}/login/heron/callback`;
  const options = { clientId, clientSecret, redirectUri, people: () => persons };
  const { origin } = await startIssuer(port, options).catch((error) => {
    if (!isTaken(error)) throw error;
    return startIssuer(0, options);
  });
  return {
    OIDC_HERON_ISSUER: origin,
    OIDC_HERON_CLIENT_ID: clientId,
    OIDC_HERON_CLIENT_SECRET: clientSecret,
    OIDC_HERON_LABEL: 'Heron',
  };
};
