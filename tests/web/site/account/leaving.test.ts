import { describe, expect, it } from 'vitest';
import { useVirtualTime } from '../../../support/run/virtual-time.ts';
import { call } from '../../../support/service/call.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { useTable } from '../../../support/table/table.ts';
import { leaveNow } from '../../../support/users/leaving.ts';
import { login, newUserOf } from '../../../support/users/test-users.ts';

useVirtualTime('2026-11-22T20:00:00Z');
useTable();
useJobs();

const cookieOf = async (email: string): Promise<string> =>
  (await login(email)).cookies?.[0]?.split(';')[0] ?? '';

const open = (cookie?: string, query = {}) =>
  call('GET /leaving', { query, ...(cookie !== undefined && { cookies: [cookie] }) });

describe('GET /leaving', () => {
  it('says on which day of its user the account is deleted, and leads on once it is kept', async () => {
    const ann = await newUserOf('user', { timezone: 'Asia/Tokyo' });
    await leaveNow(ann.token);
    const { status, body, headers } = await open(await cookieOf(ann.email), {
      next: '/shares?a=b',
    });
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(body).toContain('<h1>Your account will be deleted on 30 November.</h1>');
    expect(body).toContain('name="to" value="/shares?a=b"');
    expect(body).toContain(ann.email);
  });

  it('leads to paths of this host only', async () => {
    const ann = await newUserOf('user');
    await leaveNow(ann.token);
    const { body } = await open(await cookieOf(ann.email), { next: '//evil.test/' });
    expect(body).toContain('on 29 November.');
    expect(body).toContain('name="to" value="/dashboard"');
  });

  it('leads on whose account stays, and to the sign-in page whoever is signed out', async () => {
    const { email } = await newUserOf('user');
    const { status, headers } = await open(await cookieOf(email), { next: '/shares' });
    expect([status, headers['location']]).toEqual([303, '/shares']);
    const signedOut = await open(undefined, { next: '/shares' });
    expect([signedOut.status, signedOut.headers['location']]).toEqual([
      303,
      '/login?next=/leaving%3Fnext%3D%252Fshares',
    ]);
  });
});

describe('GET /login', () => {
  it('says why whoever has deleted the account is signed out, here and elsewhere', async () => {
    const { body } = await call('GET /login', { query: { why: 'left' } });
    expect(body).toContain(
      'Your account will be deleted in 7 days. Sign in before then to keep it.',
    );
    const ann = await newUserOf('user');
    const cookie = await cookieOf(ann.email);
    await leaveNow(ann.token);
    const other = await call('GET /login', { cookies: [cookie] });
    expect(other.body).toContain(
      'You were signed out because your account will be deleted. Sign in to keep it.',
    );
  });
});
