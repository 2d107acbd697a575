import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { signToken } from '../../../shared/auth/tokens.ts';
import { type Answer, type CallOptions, call } from '../service/call.ts';
import { form } from '../service/form.ts';
import type { Person } from '../users/test-users.ts';

/** The requests of connected apps and of the people who allow them. */

type Caller = Pick<Person, 'token'>;

export const issuer = process.env['PUBLIC_URL'] ?? '';

export const redirectUri = 'http://localhost:4711/callback';

/** A client as one that has registered itself. */
export interface TestClient {
  readonly id: string;
  readonly redirectUri: string;
}

const hourMs = 3_600_000;

let clients = 0;

/** Creates the id of a client that has registered itself. */
export const newClient = async (to = redirectUri, name = 'Notebook'): Promise<TestClient> => {
  const token = await signToken('client', { name, to: [to] }, 10_000 * hourMs, {
    id: `client-${clients++}`,
  });
  return { id: `dyn.${token}`, redirectUri: to };
};

/** Creates a verifier and its challenge. */
export const newProof = () => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};

/** The query of `/authorize`. */
export const queryOf = (client: TestClient, challenge = newProof().challenge) => ({
  client_id: client.id,
  redirect_uri: client.redirectUri,
  response_type: 'code',
  code_challenge: challenge,
  code_challenge_method: 'S256',
  state: 'xyz',
});

export const askFor = ({ token }: Caller, query: Record<string, string>): Promise<Answer> =>
  call('GET /api/apps/request', { token, query });

/** The body of a decision to allow, as the page sends it. */
export const bodyOf = (client: TestClient, challenge = newProof().challenge) => ({
  clientId: client.id,
  redirectUri: client.redirectUri,
  responseType: 'code',
  codeChallenge: challenge,
  codeChallengeMethod: 'S256',
  state: 'xyz',
  decision: 'allow',
  permissions: ['shares:create', 'shares:view'],
});

export const decide = ({ token }: Caller, body: object, options: CallOptions = {}) =>
  call('POST /api/apps/consent', { token, body, ...options });

/** Returns the parameters with which the browser goes back to the client. */
export const answerOf = ({ status, body }: Answer): Record<string, string> => {
  expect(status, JSON.stringify(body)).toBe(200);
  const { searchParams } = new URL(body.data.location);
  return Object.fromEntries(searchParams);
};

/** A code that a person has allowed, with what its exchange needs. */
export interface Allowed {
  readonly client: TestClient;
  readonly code: string;
  readonly verifier: string;
}

export const allow = async (
  person: Caller,
  client: TestClient,
  fields: object = {},
): Promise<Allowed> => {
  const { verifier, challenge } = newProof();
  const answer = await decide(person, { ...bodyOf(client, challenge), ...fields });
  return { client, code: answerOf(answer)['code'] ?? '', verifier };
};

export const requestTokens = (
  fields: Readonly<Record<string, string>>,
  options: CallOptions = {},
): Promise<Answer> => call('POST /oauth/token', { ...form(fields), ...options });

/** Exchanges a code as its client does, with other fields if given. */
export const exchange = ({ client, code, verifier }: Allowed, fields = {}): Promise<Answer> =>
  requestTokens({
    grant_type: 'authorization_code',
    client_id: client.id,
    code,
    redirect_uri: client.redirectUri,
    code_verifier: verifier,
    ...fields,
  });

export const refreshApp = (client: TestClient, refreshToken: string, fields = {}) =>
  requestTokens({
    grant_type: 'refresh_token',
    client_id: client.id,
    refresh_token: refreshToken,
    ...fields,
  });

/** The tokens of a connected app. */
export interface AppTokens {
  readonly client: TestClient;
  readonly access: string;
  readonly refresh: string;
}

const toTokens = (client: TestClient, { status, body }: Answer): AppTokens => {
  expect(status, JSON.stringify(body)).toBe(200);
  return { client, access: body.access_token, refresh: body.refresh_token };
};

/** Connects an app: a person allows it, and it exchanges the code. */
export const connect = async (
  person: Caller,
  client?: TestClient,
  fields: object = {},
): Promise<AppTokens> => {
  const allowed = await allow(person, client ?? (await newClient()), fields);
  return toTokens(allowed.client, await exchange(allowed));
};

/** Refreshes the tokens of an app, which works. */
export const renewApp = async ({ client, refresh }: AppTokens): Promise<AppTokens> =>
  toTokens(client, await refreshApp(client, refresh));

export const appsOf = async ({ token }: Caller) =>
  (await call('GET /api/apps', { token })).body.data;

export const revokeApp = ({ token }: Caller, id: unknown): Promise<Answer> =>
  call('DELETE /api/apps/{id}', { token, params: { id: String(id) } });

export const restoreApp = ({ token }: Caller, id: unknown): Promise<Answer> =>
  call('POST /api/apps/{id}/restore', { token, params: { id: String(id) } });
