import { getSetting } from '../../../../shared/runtime/settings.ts';

/** Where clients find who issues tokens. https://datatracker.ietf.org/doc/html/rfc9728 */
const metadataPath = '/.well-known/oauth-protected-resource/mcp';

interface Refusal {
  readonly error: 'invalid_token' | 'insufficient_scope';
  readonly description: string;
  /** What the token lacks. */
  readonly scope?: string;
}

/**
 * Creates the header that says which credentials `POST /mcp` takes, and what is wrong with those that it got.
 * https://datatracker.ietf.org/doc/html/rfc6750#section-3
 */
export const createChallenge = (refusal?: Refusal): Readonly<Record<string, string>> => {
  const parts = {
    ...(refusal && { error: refusal.error }),
    ...(refusal?.scope !== undefined && { scope: refusal.scope }),
    resource_metadata: `${getSetting('PUBLIC_URL')}${metadataPath}`,
    ...(refusal && { error_description: refusal.description }),
  };
  const text = Object.entries(parts).map(([name, value]) => `${name}="${value}"`);
  return { 'www-authenticate': `Bearer ${text.join(', ')}` };
};
