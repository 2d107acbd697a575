import { onTestFinished } from 'vitest';
import { type Person, startIssuer } from '../../../infra/local/issuer/issuer.ts';
import { startFreshService } from '../run/fresh-service.ts';

const client = { clientId: 'handbill', clientSecret: 'a secret of the tests only' };

/** Starts a service whose users sign in at an issuer, as `Acme`. `people` are who can sign in there. */
export const startWithProvider = async (
  people: readonly Person[],
  settings: Record<string, string> = {},
) => {
  let redirectUri = '';
  const options = { ...client, people: () => people, redirectUri: () => redirectUri };
  const issuer = await startIssuer(0, options);
  onTestFinished(issuer.close);
  const { origin } = issuer;
  const service = await startFreshService({
    OIDC_ACME_ISSUER: origin,
    OIDC_ACME_CLIENT_ID: client.clientId,
    OIDC_ACME_CLIENT_SECRET: client.clientSecret,
    ...settings,
  });
  redirectUri = `${service.url}/login/acme/callback`;
  return { ...service, origin };
};
