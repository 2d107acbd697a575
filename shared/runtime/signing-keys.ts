import { createHash, type webcrypto } from 'node:crypto';
import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { createRequestHandler } from './request-handler.ts';
import { getSetting, SettingError } from './settings.ts';
import { isWeakSecret } from './weak-secret.ts';

/** A secret, ready to sign with. */
export interface SigningKey {
  /** Identifies the key in a token's header: a prefix of the secret's SHA-256, which does not reveal the secret. */
  readonly kid: string;
  readonly secret: string;
  readonly hmac: webcrypto.CryptoKey;
}

/** Maximum time in ms until a rotated secret is noticed. */
export const noticedWithinMs = 5 * 60_000;
/** Minimum time in ms between reads caused by tokens with unknown keys. */
const rereadMs = 10_000;

/** The current key, then the previous one. */
type KeyRing = readonly [SigningKey, ...SigningKey[]];

let cached:
  | {
      readonly at: number;
      readonly source: string;
      /** Whether it has the previous key, if there is one. */
      readonly isWhole: boolean;
      readonly keys: Promise<KeyRing>;
    }
  | undefined;

const toKey = async (secret: string): Promise<SigningKey> => ({
  kid: createHash('sha256').update(secret).digest('hex').slice(0, 8),
  secret,
  // Imported once, because verifying with raw bytes takes a third longer per request.
  hmac: await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign', 'verify'],
  ),
});

const fetchSecrets = async (
  SecretId: string,
  withPrevious: boolean,
): Promise<[string, ...string[]]> => {
  const client = new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: createRequestHandler(2_000),
  });
  const read = async (VersionStage: string) =>
    (await client.send(new GetSecretValueCommand({ SecretId, VersionStage }))).SecretString;
  const [current, previous] = await Promise.all([
    read('AWSCURRENT'),
    withPrevious
      ? read('AWSPREVIOUS').catch((error) => {
          // A secret that was never rotated has no previous version.
          if (error instanceof ResourceNotFoundException) return undefined;
          throw error;
        })
      : undefined,
  ]);
  if (current === undefined || isWeakSecret(current)) {
    throw new SettingError(
      'Put a random secret of at least 32 characters, neither an example nor a pattern, into the secret that JWT_SECRET_ID names.',
    );
  }
  // Tokens of a weak previous secret are invalid, because anyone could have signed them.
  return previous === undefined || isWeakSecret(previous) ? [current] : [current, previous];
};

const load = async (withPrevious: boolean): Promise<KeyRing> => {
  const secret = getSetting('JWT_SECRET');
  const secretId = getSetting('JWT_SECRET_ID');
  if (secret === undefined && secretId === undefined) {
    throw new SettingError('Set JWT_SECRET to a random secret of at least 32 characters.');
  }
  const [current, ...previous] =
    secret === undefined ? await fetchSecrets(secretId ?? '', withPrevious) : [secret];
  return [await toKey(current), ...(await Promise.all(previous.map(toKey)))];
};

const loadOnce = (maxAgeMs: number, needsPrevious: boolean): Promise<KeyRing> => {
  const source = `${getSetting('JWT_SECRET')}\n${getSetting('JWT_SECRET_ID')}`;
  const before = cached?.source === source ? cached : undefined;
  // Whoever has met an older token will meet others.
  const isWhole = needsPrevious || before?.isWhole === true;
  const known = before?.isWhole === isWhole ? before : undefined;
  if (known && Date.now() - known.at <= maxAgeMs) return known.keys;
  const keys: Promise<KeyRing> = load(isWhole).catch((error) => {
    // Keys read before remain valid. Without them, the next request tries again.
    if (known) return known.keys;
    if (cached?.keys === keys) cached = before;
    throw error;
  });
  cached = { at: Date.now(), source, isWhole, keys };
  return keys;
};

/**
 * Returns the key that signs, at most 5 minutes old.
 * @throws SettingError when no secret is set
 */
export const getCurrentKey = async (): Promise<SigningKey> => {
  const [current] = await loadOnce(noticedWithinMs, false);
  return current;
};

/**
 * Returns the current key and the previous one, at most 5 minutes old.
 * @throws SettingError when no secret is set
 */
export const getCurrentKeys = (): Promise<KeyRing> => loadOnce(noticedWithinMs, true);

/** Returns the current key and the previous one, at most 10 s old. */
export const listKeysInUse = (): Promise<KeyRing> => loadOnce(rereadMs, true);

/** Finds a key by id among the current and the previous one, which is read only then: few starts meet an older token. */
export const findSigningKey = async (kid: string): Promise<SigningKey | undefined> => {
  const current = await getCurrentKey();
  if (current.kid === kid) return current;
  const find = (keys: KeyRing) => keys.find((key) => key.kid === kid);
  // Another function may sign with a new secret before this one has read it.
  return find(await getCurrentKeys()) ?? find(await listKeysInUse());
};
