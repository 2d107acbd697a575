import type { Ceiling } from '../../../shared/auth/actor.ts';
import { isAppActive, parseStoredApp, type StoredApp } from '../../../shared/auth/app.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import type { SessionActor } from '../../../shared/http/route.ts';
import { getNarrowest } from '../../../shared/permissions/audiences.ts';
import { AppError, invalidField } from '../../../shared/runtime/errors.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { describePower } from '../auth/tokens/powerful-tokens.ts';
import { maxLoginDays } from './app-tokens.ts';
import { hashClientId } from './clients/client-id.ts';
import { type Client, resolveClient } from './clients/clients.ts';
import { matchRedirect, type RedirectTarget } from './clients/redirects.ts';
import { isProof } from './codes.ts';
import type { OAuthCode } from './oauth-error.ts';
import { keepHeld, parseScope } from './scopes.ts';

/** The parameters of an authorization request. https://www.rfc-editor.org/rfc/rfc6749#section-4.1.1 */
export interface Parameters {
  readonly clientId: string | undefined;
  readonly redirectUri: string | undefined;
  readonly responseType: string | undefined;
  readonly codeChallenge: string | undefined;
  readonly codeChallengeMethod: string | undefined;
  readonly scope: string | undefined;
  readonly state: string | undefined;
  readonly resource: string | undefined;
}

/** What the caller calls the parameters that can't be answered at the client. */
export interface FieldNames {
  readonly clientId: string;
  readonly redirectUri: string;
}

/** A request that a person decides on. */
export interface Authorization {
  readonly client: Client;
  readonly redirectUri: string;
  readonly redirect: RedirectTarget;
  readonly challenge: string;
  /** All that the client asks for. */
  readonly asked: readonly string[];
  /** What of it the user may do. */
  readonly permissions: readonly string[];
  /** The app, if the user has allowed it and it asks for nothing new: nobody needs to be asked. */
  readonly known: StoredApp | undefined;
}

/** The address of the only resource that apps get tokens for. */
export const getResource = (): string => `${getSetting('PUBLIC_URL')}/mcp`;

/** What an app may publish unless its user says otherwise. Time in seconds. */
export const getProposedCeiling = (): Required<Omit<Ceiling, 'maxViews'>> => ({
  maxAudience: getNarrowest('private', getSetting('MAX_AUDIENCE')),
  maxAge: 7 * 86_400,
  sharesPerDay: 20,
});

/**
 * Returns the address that answers a client: `iss` tells it which server answers, so that none is mixed up with another.
 * https://www.rfc-editor.org/rfc/rfc9207
 */
export const toAnswer = (
  { redirectUri, state }: { readonly redirectUri: string; readonly state: string | undefined },
  answer: Readonly<Record<string, string>>,
): string => {
  const query = new URLSearchParams({
    ...answer,
    ...(state !== undefined && { state }),
    iss: getSetting('PUBLIC_URL'),
  });
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`;
};

interface Problem {
  readonly error: OAuthCode;
  readonly description: string;
}

const findProblem = (
  { responseType, codeChallenge, codeChallengeMethod, resource }: Parameters,
  unknownScope: string | undefined,
  permissions: readonly string[],
): Problem | undefined => {
  const invalid = (description: string): Problem => ({ error: 'invalid_request', description });
  if (responseType === undefined) return invalid('response_type is required.');
  if (responseType !== 'code') {
    return { error: 'unsupported_response_type', description: 'response_type must be code.' };
  }
  if (codeChallenge === undefined) return invalid('code_challenge is required.');
  // Without a method, the challenge would be the verifier itself.
  if (codeChallengeMethod !== 'S256') return invalid('code_challenge_method must be S256.');
  if (!isProof(codeChallenge)) {
    return invalid('code_challenge must have 43 to 128 letters, digits or -._~.');
  }
  if (resource !== undefined && resource !== getResource()) {
    return { error: 'invalid_target', description: `resource must be ${getResource()}.` };
  }
  if (unknownScope !== undefined) {
    return { error: 'invalid_scope', description: 'scope names something that does not exist.' };
  }
  return permissions.length === 0
    ? { error: 'invalid_scope', description: 'The user may do nothing of what scope asks for.' }
    : undefined;
};

/** Finds the client, and names the parameter in its caller's words if there is none. */
const findClient = async (clientId: string | undefined, field: string): Promise<Client> => {
  if (clientId === undefined) throw invalidField(field, 'is required');
  try {
    return await resolveClient(clientId);
  } catch (error) {
    const detail =
      error instanceof AppError && error.code === 'VALIDATION_ERROR' && error.details[0];
    throw detail ? invalidField(field, detail.message, error) : error;
  }
};

/**
 * Returns the app that needs no new question: allowed before at the same host, with nothing asked beyond what was then. Only of
 * clients that prove by https who they are, and never with rights for which a stolen session would be used.
 */
const findKnown = async (
  { user }: SessionActor,
  { client, redirect, asked }: Pick<Authorization, 'client' | 'redirect' | 'asked'>,
): Promise<StoredApp | undefined> => {
  if (client.kind !== 'metadata' || !redirect.isHttps || redirect.isLoopback) return undefined;
  const [item] = await batchGet([
    userKeys.app.at({ userId: user.id, client: hashClientId(client.id) }),
  ]);
  const app = parseStoredApp(item);
  const isKnown =
    app !== undefined &&
    isAppActive(app, user, Date.now()) &&
    app.host === redirect.host &&
    asked.every((entry) => app.asked.includes(entry)) &&
    describePower({ ...app, expiresInDays: maxLoginDays }) === undefined;
  return isKnown ? app : undefined;
};

/**
 * Checks an authorization request. Returns what a person decides on, or the address that tells the client what is wrong. Nothing
 * goes to an address that isn't a client's own.
 * @throws AppError VALIDATION_ERROR for an unknown client, or a redirect address that isn't one of its own
 */
export const checkAuthorization = async (
  actor: SessionActor,
  parameters: Parameters,
  fields: FieldNames,
): Promise<Authorization | { readonly location: string }> => {
  const { clientId, redirectUri, codeChallenge = '', scope, state } = parameters;
  const client = await findClient(clientId, fields.clientId);
  if (redirectUri === undefined) throw invalidField(fields.redirectUri, 'is required');
  const redirect = matchRedirect(client, redirectUri);
  if (!redirect) {
    throw invalidField(fields.redirectUri, 'must be one that the app has registered');
  }
  const { asked, unknown } = parseScope(scope);
  const permissions = keepHeld(asked, actor);
  const problem = findProblem(parameters, unknown, permissions);
  if (problem) {
    const { error, description } = problem;
    const answer = { error, error_description: description };
    return { location: toAnswer({ redirectUri, state }, answer) };
  }
  const known = await findKnown(actor, { client, redirect, asked });
  return { client, redirectUri, redirect, challenge: codeChallenge, asked, permissions, known };
};
