import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { markdown, share, usePages } from '../../support/pages/served-pages.ts';
import { call } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';

useTable();
useJobs();
const { service } = usePages();

describe('the report form', () => {
  const report = (id: string, body: string) =>
    call('POST /s/{id}/report', {
      params: { id },
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const reportsOf = async (id: string) =>
    (await itemsOf(`SHARE#${id}`)).filter(({ sk }) => String(sk).startsWith('REPORT#'));

  it('stores the reason and confirms the report', async () => {
    const { id } = await share({ ...markdown, password: 'Abc123' });
    const { status, headers } = await report(id, 'reason=It+asks+for%0D%0Aa+password');
    expect([status, headers['location']]).toEqual([303, `/s/${id}/report?sent=true`]);
    expect(await reportsOf(id)).toMatchObject([{ reason: 'It asks for\na password' }]);
    expect((await service(`/s/${id}/report?sent=true`)).text).toContain('Thank you');
  });

  it('confirms one by a name without the id that it has', async () => {
    const { id } = await share({ ...markdown, slug: 'our-plans', audience: 'private' });
    const confirm = async (name: string) => (await service(`/s/${name}/report?sent=true`)).text;
    const confirmed = await confirm('our-plans');
    expect(confirmed).not.toContain(id);
    expect(confirmed.replaceAll('our-plans', 'free-name')).toBe(await confirm('free-name'));
  });

  it.each([
    ['no', ''],
    ['too short a', 'reason=+no+'],
    ['too long a', `reason=${'x'.repeat(1_001)}`],
    ['a deceptive', 'reason=abc%E2%80%AE'],
  ])('asks again for %s reason', async (_, body) => {
    const { id } = await share(markdown);
    const { status, body: text } = await report(id, body);
    expect(status).toBe(400);
    expect(text).toMatch(/role="alert">Enter 3 to 1,000 characters./);
    expect(await reportsOf(id)).toEqual([]);
  });

  it('returns 404 and 410 for unknown and ended shares', async () => {
    const { id, token } = await share(markdown);
    await call('DELETE /api/share/{id}', { params: { id }, token });
    expect((await service(`/s/${id}/report`)).status).toBe(404);
    const response = await report(id, 'reason=It+is+spam');
    expect([response.status, response.headers['content-type']]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
  });

  // Runs last, because it exhausts the rate limit.
  it('allows 10 reports per hour and client, including those by the API', async () => {
    const { id } = await share(markdown);
    process.env['RATE_LIMIT_FACTOR'] = '1';
    // Refills the rate limit after the previous tests.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
    onTestFinished(() => {
      process.env['RATE_LIMIT_FACTOR'] = '1000';
      vi.useRealTimers();
    });
    const byApi = { params: { id }, body: { reason: 'It is spam' } };
    const statuses: number[] = [];
    for (let pair = 0; pair < 6; pair++) {
      statuses.push((await report(id, 'reason=It+is+spam')).status);
      statuses.push((await call('POST /api/share/{id}/report', byApi)).status);
    }
    expect(statuses).toEqual([...Array(5).fill([303, 201]).flat(), 429, 429]);
  });
});
