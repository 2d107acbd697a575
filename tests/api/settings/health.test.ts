import { describe, expect, it, vi } from 'vitest';
import { passwordResetEmail } from '../../../functions/api/users/record/jobs.ts';
import { enqueue } from '../../../shared/jobs/queue.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { purgeJobs, useJobs, withoutQueue } from '../../support/service/jobs.ts';
import { linkOf, mailsTo, useMail, whileMailIsDown } from '../../support/service/mail.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useJobs();
useBucket();
useMail();
useVirtualTime('2026-11-21T12:00:00Z');

const { root } = usePeople({ root: 'super_admin' });

const check = () => call('GET /api/settings/health', { token: root.token });
const sendTest = ({ token } = root) => call('POST /api/settings/test-mail', { token });

describe('GET /api/settings/health', () => {
  it('checks each part, and counts jobs and the activity of today', async () => {
    purgeJobs();
    const none = { visits: 0, uniqueVisitors: 0, pageViews: 0, views: 0, signIns: 0 };
    const jobs = { waiting: 0, running: 0, delayed: 0, failed: 0 };
    const ok = { table: 'ok', bucket: 'ok', queue: 'ok', jobs, today: none };
    expect((await check()).body.data).toEqual({ checkedAt: '2026-11-21T12:00:00.000Z', ...ok });
    purgeJobs();
    await enqueue(passwordResetEmail, { email: 'ann@example.com' });
    await enqueue(passwordResetEmail, { email: 'ann@example.com' }, { delaySeconds: 60 });
    expect((await check()).body.data).toMatchObject({ jobs: { ...jobs, waiting: 1, delayed: 1 } });
  });

  it('reports a part that fails, without the others', async () => {
    const { status, body } = await withoutQueue(check);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ table: 'ok', bucket: 'ok', queue: 'failed', jobs: null });
  });
});

describe('POST /api/settings/test-mail', () => {
  it('sends an email to the own address', async () => {
    expect(await sendTest()).toMatchObject({
      status: 200,
      body: { success: true, message: 'Sent', data: { sentTo: root.email } },
    });
    const [mail, ...others] = await mailsTo(root.email);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('Test email from Handbill');
    expect(linkOf(mail ?? expect.unreachable())).toBe('https://handbill.test/settings');
  });

  it('says that email is off, or that the email service is unavailable', async () => {
    const other = await newUserOf('super_admin');
    await whileMailIsDown(async () => {
      const { status, body } = await sendTest(other);
      expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    });
    vi.stubEnv('MAIL_FROM', undefined);
    const { status, body } = await sendTest(other);
    vi.unstubAllEnvs();
    expect([status, body.error.message]).toEqual([
      409,
      'Email is off. Set MAIL_FROM to turn it on.',
    ]);
  });

  it('sends five in a quarter of an hour', async () => {
    const other = await newUserOf('super_admin');
    vi.stubEnv('RATE_LIMIT_FACTOR', '1');
    const statuses: number[] = [];
    for (let count = 0; count < 6; count++) statuses.push((await sendTest(other)).status);
    vi.unstubAllEnvs();
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});
