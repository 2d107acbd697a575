import { createHash, randomBytes } from 'node:crypto';
import type { Ask } from './client.ts';
import type { Step, Story } from './step.ts';
import { people, type Username } from './team.ts';

/** What an assistant may do that publishes for its user alone. */
const privatePages = {
  permissions: ['shares:create', 'shares:update', 'shares:view'],
  ceiling: { maxAudience: 'private', maxAge: 604_800, sharesPerDay: 20 },
};

const redirectUri = 'http://localhost:33418/callback';

/** Connects an app as its user does, and lets it ask for the tools once. */
const connectApp = async (ask: Ask, name: string): Promise<void> => {
  const client = { client_name: name, redirect_uris: [redirectUri] };
  const { client_id: clientId } = await ask<{ client_id: string }>('POST /oauth/register', client);
  const verifier = randomBytes(32).toString('base64url');
  const { location } = await ask<{ location: string }>('POST /api/apps/consent', {
    clientId,
    redirectUri,
    responseType: 'code',
    codeChallenge: createHash('sha256').update(verifier).digest('base64url'),
    codeChallengeMethod: 'S256',
    decision: 'allow',
    ...privatePages,
  });
  const exchange = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: clientId,
    code: new URL(location).searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
  const tokens = await ask<{ access_token: string }>('POST /oauth/token', exchange);
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  await ask('POST /mcp', list, tokens.access_token);
};

/** Gives people an assistant: one with a token, and one that is connected. */
export const assistantSteps = (
  { at }: Story,
  openSession: (who: Username) => Promise<Ask>,
): Step[] =>
  ([people[0].username, 'luca'] as const).map((who) => ({
    at: at(1, 8),
    run: async () => {
      const ask = await openSession(who);
      await ask('POST /api/auth/tokens', {
        name: 'Claude Code on my laptop',
        expiresInDays: 90,
        ...privatePages,
      });
      await connectApp(ask, 'Cursor');
    },
  }));
