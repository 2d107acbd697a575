import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import type { Provider } from './provider-settings.ts';
import { createRequestHandler } from './request-handler.ts';
import { getSetting, SettingError } from './settings.ts';

/** How long read secrets are used. ms. */
const maxAgeMs = 5 * 60_000;

/** How long at least, also if an issuer refuses them. ms. */
const minAgeMs = 10_000;

/** The client secrets by the names of their providers in small letters. */
const schema = z.record(z.string(), z.string().min(1));

/** Client secrets by the names of their providers. */
export type ClientSecrets = ReadonlyMap<string, string>;

let cached:
  | { readonly at: number; readonly secretId: string; readonly secrets: Promise<ClientSecrets> }
  | undefined;

let isRefused = false;

/** @throws SettingError that quotes nothing: the message of `JSON.parse` would show a part of the secret */
const parse = (text: string): ClientSecrets => {
  try {
    return new Map(Object.entries(schema.parse(JSON.parse(text))));
  } catch {
    throw new SettingError(
      'Store the client secrets of providers with `npm run secret`: the secret that PROVIDER_SECRETS_ID names has another form.',
    );
  }
};

/**
 * Reads the stored client secrets; none before the first is stored.
 * @throws SettingError for a stored secret of another form
 */
export const fetchClientSecrets = async (SecretId: string): Promise<ClientSecrets> => {
  const client = new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: createRequestHandler(2_000),
  });
  try {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
    return parse(SecretString ?? '{}');
  } catch (error) {
    // It is created without a value.
    if (error instanceof ResourceNotFoundException) return new Map();
    throw error;
  }
};

const loadOnce = (secretId: string): Promise<ClientSecrets> => {
  const known = cached?.secretId === secretId ? cached : undefined;
  const age = known && Date.now() - known.at;
  if (known && Number(age) <= (isRefused ? minAgeMs : maxAgeMs)) return known.secrets;
  isRefused = false;
  const secrets: Promise<ClientSecrets> = fetchClientSecrets(secretId).catch((error) => {
    // Secrets read before remain in use. Without them, the next request tries again.
    if (known) return known.secrets;
    if (cached?.secrets === secrets) cached = undefined;
    throw error;
  });
  cached = { at: Date.now(), secretId, secrets };
  return secrets;
};

/**
 * Returns the client secret of a provider, at most 5 minutes old; `undefined` if it has none. On one machine it is the setting
 * `OIDC_<NAME>_CLIENT_SECRET`.
 * @throws SettingError for a stored secret of another form
 */
export const getClientSecret = async ({
  name,
}: Pick<Provider, 'name'>): Promise<string | undefined> => {
  const local = process.env[`OIDC_${name.toUpperCase()}_CLIENT_SECRET`];
  if (local) return local;
  const secretId = getSetting('PROVIDER_SECRETS_ID');
  if (secretId === undefined) return undefined;
  return (await loadOnce(secretId)).get(name);
};

/** Reads the secrets again at their next use, at most every 10 s: the issuer refused one, so that it may have been replaced. */
export const renewClientSecrets = (): void => {
  isRefused = true;
};
