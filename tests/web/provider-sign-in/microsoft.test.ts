import { generateKeyPairSync } from 'node:crypto';
import { importJWK, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readAuthorization } from '../../../functions/web/provider-sign-in/protocol/authorization.ts';
import type { Provider } from '../../../shared/runtime/provider-settings.ts';

const origin = 'https://login.microsoftonline.com';
const tenant = '5f3b1c9e-0000-4000-8000-aabbccddeeff';

const provider: Provider = {
  name: 'microsoft',
  issuer: `${origin}/common/v2.0`,
  clientId: 'handbill',
  label: 'Microsoft',
  provesAll: false,
  isMultiTenant: true,
};

const key = {
  ...generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ format: 'jwk' }),
  kid: 'one',
  alg: 'RS256',
};

/** What the issuer of all tenants publishes. */
const discovery = {
  issuer: `${origin}/{tenantid}/v2.0`,
  authorization_endpoint: `${origin}/common/oauth2/v2.0/authorize`,
  token_endpoint: `${origin}/common/oauth2/v2.0/token`,
  jwks_uri: `${origin}/common/discovery/v2.0/keys`,
  id_token_signing_alg_values_supported: ['RS256'],
  token_endpoint_auth_methods_supported: ['client_secret_post'],
};

let claims: Record<string, unknown>;

const respond = async (path: string): Promise<object> => {
  if (path.endsWith('/openid-configuration')) return discovery;
  const { kty, n, e, kid, alg } = key;
  if (path.endsWith('/keys')) return { keys: [{ kty, n, e, kid, alg, use: 'sig' }] };
  const id_token = await new SignJWT(claims)
    .setProtectedHeader({ alg, kid })
    .setIssuedAt()
    .setExpirationTime('5 minutes')
    .sign(await importJWK(key, alg));
  return { access_token: 'access', token_type: 'Bearer', id_token };
};

beforeEach(() => {
  vi.stubEnv('PUBLIC_URL', 'https://handbill.test');
  vi.stubEnv('OIDC_MICROSOFT_CLIENT_SECRET', 'secret');
  vi.stubGlobal('fetch', async (url: string | URL) =>
    Response.json(await respond(new URL(url).pathname)),
  );
  claims = {
    iss: `${origin}/${tenant}/v2.0`,
    aud: 'handbill',
    sub: 'abc',
    tid: tenant,
    nonce: 'nonce',
    email: 'ann@example.com',
    email_verified: true,
  };
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

const read = () =>
  readAuthorization(provider, 'code=code&state=state', {
    state: 'state',
    nonce: 'nonce',
    verifier: 'v'.repeat(43),
  });

describe('an ID token of Microsoft, for all tenants', () => {
  it('is of the tenant that it names, whose word on addresses counts for nothing', async () => {
    expect(await read()).toMatchObject({
      subject: `${tenant}.abc`,
      email: 'ann@example.com',
      isEmailProven: false,
      roleValues: undefined,
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ['whose issuer is another tenant', { tid: '00000000-0000-4000-8000-000000000000' }],
    ['without a tenant', { tid: undefined }],
    ['of another issuer', { iss: 'https://evil.example/v2.0' }],
  ])('is refused %s', async (_, changed) => {
    Object.assign(claims, changed);
    await expect(read()).rejects.toMatchObject({ name: 'ProviderError', reason: 'invalid' });
  });
});
