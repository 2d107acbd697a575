/** Why nobody is signed in by a provider, before it is known who that would be. */
export type ProviderReason =
  /** The person, or the provider in their name, declined. */
  | 'canceled'
  /** The browser didn't begin it, or it was used or took too long. */
  | 'expired'
  /** The response isn't what the provider would have sent to this browser. */
  | 'invalid'
  /** The provider doesn't answer, or says that it can't. */
  | 'unavailable'
  /** The provider refuses this service, or isn't one. */
  | 'misconfigured';

/** A sign-in at a provider that has failed. `detail` says of what kind the failure is, without anything that was sent. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly reason: ProviderReason;

  constructor(reason: ProviderReason, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.reason = reason;
  }
}

/** What errors of the client have, whose other fields quote tokens. */
interface ClientFailure {
  readonly code?: unknown;
  /** The code of the provider, such as `invalid_grant`. */
  readonly error?: unknown;
  readonly cause?: unknown;
}

const refusedClient = [
  'invalid_client',
  'unauthorized_client',
  'incorrect_client_credentials',
  'redirect_uri_mismatch',
];
const usedCode = ['invalid_grant', 'bad_verification_code'];
const declined = [
  'access_denied',
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
];
const outages = ['temporarily_unavailable', 'server_error'];

const reasonOf = ({ code, error }: ClientFailure): ProviderReason => {
  const said = String(error);
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') {
    if (declined.includes(said)) return 'canceled';
    return outages.includes(said) ? 'unavailable' : 'misconfigured';
  }
  if (code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE' || refusedClient.includes(said)) {
    return 'misconfigured';
  }
  if (usedCode.includes(said)) return 'expired';
  return code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' ? 'misconfigured' : 'invalid';
};

const findKnown = (error: unknown): ProviderError | undefined => {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof ProviderError) return at;
  }
  return undefined;
};

/** Names what failed by codes alone: messages and causes of the client may quote tokens. */
const describe = ({ code, error }: ClientFailure): string =>
  [code, error]
    .filter((part) => typeof part === 'string')
    .map((part) => part.slice(0, 64))
    .join(' ') || 'unknown';

/** Converts an error of the client, which may quote tokens. */
export const toProviderError = (error: unknown): ProviderError => {
  const known = findKnown(error);
  if (known) return known;
  const failure = (error ?? {}) as ClientFailure;
  return new ProviderError(reasonOf(failure), describe(failure));
};
