import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, vi } from 'vitest';

/** Someone with an account at GitHub. */
export interface GitHubUser {
  readonly id: number;
  readonly login: string;
  readonly name: string | null;
  readonly emails: readonly {
    readonly email: string;
    readonly primary: boolean;
    readonly verified: boolean;
  }[];
}

interface Grant {
  readonly user: GitHubUser;
  readonly challenge: string;
}

const json = (body: unknown, status = 200): Response => Response.json(body, { status });

const hash = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url');

/** A GitHub within this process, set up as the provider `github`. */
export const useGitHub = () => {
  const clientSecret = randomUUID();
  const codes = new Map<string, Grant>();
  const tokens = new Map<string, GitHubUser>();
  const realFetch = globalThis.fetch;

  /** GitHub refuses with the status 200. */
  const exchange = (form: URLSearchParams): Response => {
    const code = form.get('code') ?? '';
    const grant = codes.get(code);
    codes.delete(code);
    if (form.get('client_secret') !== clientSecret) {
      return json({ error: 'incorrect_client_credentials' });
    }
    if (grant?.challenge !== hash(form.get('code_verifier') ?? '')) {
      return json({ error: 'bad_verification_code' });
    }
    const access_token = `gho_${randomUUID()}`;
    tokens.set(access_token, grant.user);
    return json({ access_token, token_type: 'bearer', scope: 'read:user,user:email' });
  };

  const respond = (url: URL, { headers, body }: RequestInit): Response => {
    if (url.pathname === '/login/oauth/access_token') {
      return exchange(new URLSearchParams(String(body)));
    }
    const token = new Headers(headers).get('authorization')?.replace(/^bearer /i, '') ?? '';
    const user = tokens.get(token);
    if (!user) return json({ message: 'Bad credentials' }, 401);
    const { emails, ...profile } = user;
    return json(url.pathname === '/user/emails' ? emails : profile);
  };

  beforeAll(() => {
    vi.stubEnv('OIDC_GITHUB_ISSUER', 'https://github.com');
    vi.stubEnv('OIDC_GITHUB_CLIENT_ID', 'Iv1.github');
    vi.stubEnv('OIDC_GITHUB_CLIENT_SECRET', clientSecret);
    vi.stubGlobal('fetch', async (input: string | URL, init: RequestInit = {}) => {
      const url = new URL(String(input));
      return /(^|\.)github\.com$/.test(url.hostname) ? respond(url, init) : realFetch(input, init);
    });
  });
  afterAll(() => {
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
  });

  return {
    name: 'github',
    /** Signs someone in where a sign-in begins. Returns where that leads. */
    visit: (location: string, user: GitHubUser): URL => {
      const { searchParams } = new URL(location);
      const code = randomUUID();
      codes.set(code, { user, challenge: searchParams.get('code_challenge') ?? '' });
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', searchParams.get('state') ?? '');
      return back;
    },
  };
};
