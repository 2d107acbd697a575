import { readToken, signToken } from '../../../../shared/auth/tokens.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { type ClientMetadata, MetadataError, readClientMetadata } from './client-metadata.ts';

/** What the client id of a client that registered itself starts with. The rest is a token. */
export const registeredPrefix = 'dyn.';

const maxRedirects = 5;

/** Maximum characters of all redirect addresses, which the client id holds: addresses with it must stay short enough. */
const maxTotalLength = 1_500;

const lifetimeMs = 365 * 24 * 60 * 60_000;

/** What a client that registered itself gets (RFC 7591, section 3.2.1). */
export interface Registration {
  readonly client_id: string;
  readonly client_id_issued_at: number;
  readonly client_name: string;
  readonly redirect_uris: string[];
  readonly grant_types: string[];
  readonly response_types: string[];
  readonly token_endpoint_auth_method: 'none';
}

/** Creates an error as a client that registers itself reads it (RFC 7591, section 3.2.2). */
const registrationError = (field: string, message: string): AppError => {
  const error = field.startsWith('redirect_uris')
    ? 'invalid_redirect_uri'
    : 'invalid_client_metadata';
  const description = `Invalid ${field}: ${message}.`;
  return new AppError('VALIDATION_ERROR', description, {
    details: [{ field, message }],
    bareBody: { error, error_description: description },
  });
};

const readGiven = (given: Readonly<Record<string, unknown>>): ClientMetadata => {
  try {
    return readClientMetadata(given, { maxRedirects, fallback: '' });
  } catch (error) {
    throw error instanceof MetadataError ? registrationError(error.field, error.message) : error;
  }
};

/** The name of a client without one: where it leads. */
const nameByRedirect = (uri = ''): string => {
  const { protocol, host } = new URL(uri);
  return protocol === 'https:' || protocol === 'http:' ? host : protocol.slice(0, -1);
};

/**
 * Registers a client. Nothing is stored: its client id is a signed token with all that it registered
 * (decisions.md#app-clients).
 * @throws AppError VALIDATION_ERROR
 */
export const registerClient = async (
  given: Readonly<Record<string, unknown>>,
): Promise<Registration> => {
  const { name, redirectUris } = readGiven(given);
  if (redirectUris.join('').length > maxTotalLength) {
    throw registrationError(
      'redirect_uris',
      `must have at most ${maxTotalLength} characters in all`,
    );
  }
  const issuedAt = Date.now();
  const shown = name || nameByRedirect(redirectUris[0]);
  const token = await signToken('client', { name: shown, to: [...redirectUris] }, lifetimeMs, {
    issuedAt,
  });
  return {
    client_id: `${registeredPrefix}${token}`,
    client_id_issued_at: Math.floor(issuedAt / 1_000),
    client_name: shown,
    redirect_uris: [...redirectUris],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
};

/** Returns what a client registered; `undefined` if its id is not from here, or older than a year. */
export const readRegistration = async (clientId: string): Promise<ClientMetadata | undefined> => {
  const claims = await readToken('client', clientId.slice(registeredPrefix.length));
  return claims && { name: claims.name, redirectUris: claims.to };
};
