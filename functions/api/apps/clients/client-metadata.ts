import { pattern } from '../../../../shared/text/pattern.ts';
import { findRedirectProblem } from './redirects.ts';

/** What a client says of itself, as far as it is used. */
export interface ClientMetadata {
  readonly name: string;
  readonly redirectUris: readonly string[];
}

/** A field of a client's metadata that is not allowed. The message completes "<field> …". */
export class MetadataError extends Error {
  override readonly name = 'MetadataError';
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** Maximum characters of a name. */
const maxNameLength = 80;

/** What has no place in a name: controls, marks that change the order of text, invisible and private characters. */
const unseen = pattern(String.raw`[\p{Cc}\p{Cf}\p{Co}\p{DI}\u2800]`, 'gu');

/** More marks on a letter than any script has, which would cover the lines around it. */
const piled = pattern(String.raw`(\p{M}{4})\p{M}+`, 'gu');

/** Of a name as it is given: the rest isn't looked at. In UTF-16 code units. */
const maxGivenLength = 1_000;

/** Returns a name as people may see it: one line of at most 80 characters, or else the fallback. */
const toName = (given: string, fallback: string): string => {
  const line = given
    .slice(0, maxGivenLength)
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .replace(unseen(), '')
    .replace(piled(), '$1')
    .trim();
  return Array.from(line).slice(0, maxNameLength).join('').trim() || fallback;
};

const readName = (given: unknown, fallback: string): string => {
  if (given === undefined || given === null) return fallback;
  if (typeof given !== 'string') throw new MetadataError('client_name', 'must be a string');
  return toName(given, fallback);
};

const readRedirects = (given: unknown, max: number): string[] => {
  if (!Array.isArray(given) || given.length === 0 || given.length > max) {
    throw new MetadataError('redirect_uris', `must be a list of 1 to ${max} addresses`);
  }
  const uris = given.map((uri: unknown, at) => {
    const problem = typeof uri === 'string' ? findRedirectProblem(uri) : 'must be a string';
    if (problem !== undefined) throw new MetadataError(`redirect_uris[${at}]`, problem);
    return uri as string;
  });
  return [...new Set(uris)];
};

/** Asserts that a list, if there is one, has the only entry that the service knows. */
const assertHas = (field: string, given: unknown, entry: string): void => {
  if (given === undefined || given === null) return;
  if (!Array.isArray(given) || !given.includes(entry)) {
    throw new MetadataError(field, `must be a list with ${entry}`);
  }
};

/**
 * Reads the metadata of a public client (RFC 7591): whatever else is in them, such as keys, is not used.
 * @param fallback is its name if it has none
 * @throws MetadataError
 */
export const readClientMetadata = (
  given: Readonly<Record<string, unknown>>,
  { maxRedirects, fallback }: { readonly maxRedirects: number; readonly fallback: string },
): ClientMetadata => {
  const redirectUris = readRedirects(given['redirect_uris'], maxRedirects);
  const method = given['token_endpoint_auth_method'] ?? 'none';
  if (method !== 'none') throw new MetadataError('token_endpoint_auth_method', 'must be none');
  assertHas('grant_types', given['grant_types'], 'authorization_code');
  assertHas('response_types', given['response_types'], 'code');
  return { name: readName(given['client_name'], fallback), redirectUris };
};
