import { describe, expect, it, vi } from 'vitest';
import { begin, comeBack, keptCookies } from '../../support/issuer/provider-sign-in.ts';
import { type GitHubUser, useGitHub } from '../../support/issuer/use-github.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';
import { newEmail } from '../../support/users/test-users.ts';

useTable();
useJobs();
useVirtualTime('2026-11-21T12:00:00Z');
const gitHub = useGitHub();

let ids = 583_231;

const newUser = (isVerified = true): GitHubUser => ({
  id: ids++,
  login: 'octocat',
  name: null,
  emails: [
    { email: newEmail(), primary: false, verified: true },
    { email: newEmail(), primary: true, verified: isVerified },
  ],
});

const signIn = async (user: GitHubUser) => {
  const begun = await begin('github');
  const back = gitHub.visit(begun.headers['location'] ?? '', user);
  return comeBack(back, keptCookies(begun));
};

describe('signing in with GitHub', () => {
  it('begins without what it doesn’t know: ID tokens and nonces', async () => {
    const { headers } = await begin('github', { query: { account: 'other' } });
    const { origin, pathname, searchParams } = new URL(headers['location'] ?? '');
    expect(`${origin}${pathname}`).toBe('https://github.com/login/oauth/authorize');
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'Iv1.github',
      code_challenge: expect.any(String),
      code_challenge_method: 'S256',
      prompt: 'select_account',
      redirect_uri: `${process.env['PUBLIC_URL']}/login/github/callback`,
      response_type: 'code',
      scope: 'read:user user:email',
      state: expect.any(String),
    });
  });

  it('takes the primary address, which GitHub has proven, and the login of who has no name', async () => {
    const user = newUser();
    const cookies = keptCookies(await signIn(user));
    expect((await call('GET /api/auth/me', { cookies })).body.data).toMatchObject({
      email: user.emails[1]?.email,
      name: 'octocat',
      emailVerified: true,
    });
  });

  it('takes no other address in place of a primary one that isn’t proven', async () => {
    const { status, body } = await signIn(newUser(false));
    expect([status, body.includes('GitHub doesn’t confirm your email address')]).toEqual([
      403,
      true,
    ]);
  });

  it('takes a code with the verifier of its browser only, and once', async () => {
    const begun = await begin('github');
    const foreign = await begin('github');
    const back = gitHub.visit(begun.headers['location'] ?? '', newUser());
    const own = new URL(foreign.headers['location'] ?? '').searchParams.get('state') ?? '';
    const mixed = new URL(back);
    mixed.searchParams.set('state', own);
    expect((await comeBack(mixed, keptCookies(foreign))).status).toBe(400);
    expect((await comeBack(back, keptCookies(begun))).status).toBe(400);
  });

  it('says that it isn’t set up if GitHub refuses the secret', async () => {
    vi.stubEnv('OIDC_GITHUB_CLIENT_SECRET', 'wrong');
    const { status, body } = await signIn(newUser());
    expect([status, body.includes('GitHub isn’t set up')]).toEqual([503, true]);
  });
});
