import { describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { call } from '../../../support/service/call.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { useTable } from '../../../support/table/table.ts';
import { changePassword } from '../../../support/users/account.ts';
import { login, newUserOf, setUser } from '../../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();

const cookieOf = async (email: string): Promise<string> =>
  (await login(email)).cookies?.[0]?.split(';')[0] ?? '';

describe('the reason on GET /login', () => {
  const note = async (cookie?: string, query = {}) => {
    const { body } = await call('GET /login', { query, ...(cookie && { cookies: [cookie] }) });
    return body.match(/<p class="note why(?: warn)?" role="status">.*?<span>(.*?)<\/span>/)?.[1];
  };
  const signedIn = async (role: 'user' | 'admin' = 'user') => {
    const person = await newUserOf(role);
    return { ...person, cookie: await cookieOf(person.email) };
  };
  const sessionId = async ({ cookie }: { readonly cookie: string }) => {
    const { data } = (await call('GET /api/auth/sessions', { cookies: [cookie] })).body;
    return data.find(({ current }: { current: boolean }) => current).id as string;
  };

  it('names what a session is wanted for, and quotes nothing of the address', async () => {
    expect(await note()).toBeUndefined();
    expect(await note(undefined, { next: '/' })).toBe('Sign in to share. Your draft is kept.');
    expect(await note(undefined, { next: '/files' })).toBe('Sign in to see this page.');
    for (const query of [{ why: 'Call 555' }, { reason: 'Call 555' }, { next: '/Call 555' }]) {
      expect((await call('GET /login', { query })).body).not.toContain('Call 555<');
    }
    expect(await note('__Host-session=forged')).toBeUndefined();
  });

  it('says that an administrator ended the session, all of them, or the account', async () => {
    const [root, ...people] = [await signedIn('admin'), await signedIn(), await signedIn()];
    const [ann, bob] = people;
    const eve = await signedIn();
    const ofAnn = { id: String(ann?.id), sessionId: await sessionId(ann ?? eve) };
    await call('DELETE /api/users/{id}/sessions/{sessionId}', {
      token: root.token,
      params: ofAnn,
    });
    await call('DELETE /api/users/{id}/sessions', {
      token: root.token,
      params: { id: String(bob?.id) },
    });
    await setUser(eve.id, { status: 'suspended' });
    for (const person of [ann, bob, eve]) {
      expect(await note(person?.cookie)).toBe('You were signed out by an administrator.');
    }
  });

  it('says that it was ended elsewhere, with the password, or by time', async () => {
    const [ann, bob, eve] = [await signedIn(), await signedIn(), await signedIn()];
    await call('DELETE /api/auth/sessions/{id}', {
      token: ann.token,
      params: { id: await sessionId(ann) },
    });
    expect(await note(ann.cookie, { next: '/' })).toBe('You were signed out from another device.');
    await changePassword(bob.token);
    expect(await note(bob.cookie)).toBe('You were signed out because your password changed.');
    expect(await note(eve.cookie)).toBeUndefined();
    pass(8 * 24 * 60 * 60_000);
    expect(await note(eve.cookie)).toBe('You were signed out because your session has expired.');
  });

  it('is told only to who had the session, and never by the API', async () => {
    const [root, ann] = [await signedIn('admin'), await signedIn()];
    const forged = `${ann.cookie.slice(0, -5)}AAAAA`;
    const before = await call('GET /api/users/me', { cookies: [forged] });
    const params = { id: String(ann.id) };
    await call('DELETE /api/users/{id}/sessions', { token: root.token, params });
    expect(await note(forged)).toBeUndefined();
    expect(await note(forged, { next: '/files' })).toBe('Sign in to see this page.');
    const answers = [
      await call('GET /api/users/me', { cookies: [ann.cookie] }),
      await call('GET /api/users/me', { cookies: [forged] }),
      await call('GET /api/users/me', { token: ann.token }),
    ];
    for (const { status, body } of answers) {
      const { code, message, details } = before.body.error;
      expect([status, body.error]).toMatchObject([401, { code, message, details }]);
    }
  });

  it('ends a session for all its tokens, once', async () => {
    const ann = await signedIn();
    const { refreshToken } = (await login(ann.email)).body;
    const { data } = (await call('GET /api/auth/sessions', { token: ann.token })).body;
    const ids: string[] = data.map(({ id }: { id: string }) => id);
    const me = await sessionId(ann);
    for (const id of ids.filter((one) => one !== me)) {
      const params = { id };
      const end = () => call('DELETE /api/auth/sessions/{id}', { cookies: [ann.cookie], params });
      expect((await end()).status).toBe(200);
      expect((await end()).status).toBe(404);
    }
    const refresh = () => call('POST /api/auth/refresh', { body: { refreshToken } });
    expect((await refresh()).status).toBe(401);
    expect((await refresh()).status).toBe(401);
    const left = (await call('GET /api/auth/sessions', { cookies: [ann.cookie] })).body.data;
    expect(left.map(({ id }: { id: string }) => id)).toEqual([me]);
  });
});
