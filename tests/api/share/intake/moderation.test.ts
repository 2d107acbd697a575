import { describe, expect, it } from 'vitest';
import { useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { call } from '../../../support/service/call.ts';
import { settleJobs, useJobs } from '../../../support/service/jobs.ts';
import { handIn, intakeOf, reportRequest, visit } from '../../../support/shares/intake.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();

const { ann, root } = useNewPeople({ ann: newPerson, root: 'super_admin' });
const [her, theirs] = [intakeOf(ann), intakeOf(root)];

interface Reported {
  readonly id: string;
  readonly version: number;
}

/** Returns a request as moderators see it, if it is reported. */
const findReported = async (id: string) =>
  (await theirs.reported()).body.data.items.find((one: Reported) => one.id === id);

const noticesOf = async ({ token }: { readonly token: string }) => {
  await settleJobs();
  const { body } = await call('GET /api/notifications', { token });
  return body.data.items.map(({ title, content }: { title: string; content: string }) => [
    title,
    content,
  ]);
};

describe('a reported request', () => {
  it('is listed for moderators with its reports, and told to them once', async () => {
    const id = await her.newRequest({ note: 'Your passwords, please' });
    await handIn(id, { text: 'What only Ann is to read' });
    const answer = await reportRequest(id, 'It asks for passwords');
    expect([answer.status, answer.headers['location']]).toEqual([303, `/r/${id}/report?sent=true`]);
    await reportRequest(id, 'Indeed\r\nit does');
    const { body } = await theirs.reported();
    expect(body.data.items).toMatchObject([
      {
        id,
        title: 'Logs of the outage',
        note: 'Your passwords, please',
        status: 'full',
        ownerId: ann.id,
        reports: 2,
        version: 3,
      },
    ]);
    const reasons = body.data.items[0].reportList.map(({ reason }: { reason: string }) => reason);
    expect(reasons.toSorted()).toEqual(['Indeed\nit does', 'It asks for passwords']);
    expect(JSON.stringify(body)).not.toContain('only Ann');
    expect((await her.reported()).status).toBe(403);
    const updates = await call('GET /api/notifications/updates', { token: root.token });
    expect(updates.body.data.reportedShares).toBe(1);
    expect(await noticesOf(root)).toEqual([
      [
        'A request was reported',
        'The request “Logs of the outage” was reported. Review it and decide whether to keep it.',
      ],
    ]);
  });

  it('answers 410 once it is taken down, which its owner is told, until it is kept', async () => {
    const id = await her.newRequest();
    await reportRequest(id);
    const decided = await theirs.decide(id, { decision: 'take-down', reason: 'It is phishing.' });
    expect(decided.body.data).toMatchObject({ status: 'taken-down', reports: 0, reportedAt: null });
    for (const { status, body } of [await visit(id), await handIn(id), await reportRequest(id)]) {
      expect(status).toBe(410);
      expect(body).toContain('This request was taken down');
    }
    expect((await her.put(id, { title: 'Other' })).status).toBe(410);
    expect(await findReported(id)).toBeUndefined();
    await theirs.decide(id, { decision: 'keep' });
    expect((await visit(id)).status).toBe(200);
    expect(await noticesOf(ann)).toEqual([
      [
        'Your request was reviewed',
        'A moderator reviewed the request “Logs of the outage” and decided to keep it.',
      ],
      [
        'Your request was taken down',
        'A moderator took down the request “Logs of the outage”. Its link no longer works. The moderator wrote: “It is phishing.”',
      ],
    ]);
  });

  it('is not decided by who hasn’t seen all its reports', async () => {
    const id = await her.newRequest();
    await reportRequest(id);
    const { version } = await findReported(id);
    await reportRequest(id);
    const seen = { 'if-match': `"${version}"` };
    expect((await theirs.decide(id, { decision: 'keep' }, seen)).status).toBe(412);
    expect((await theirs.decide(id, { decision: 'keep' })).status).toBe(200);
  });
});

describe('the report form', () => {
  it('keeps an invalid reason', async () => {
    const id = await her.newRequest();
    const { status, body } = await reportRequest(id, '<b>');
    expect(status).toBe(303);
    const refused = await reportRequest(id, '  ');
    expect([refused.status, body]).toEqual([400, '']);
    expect(refused.body).toContain('Enter 3 to 1,000 characters.');
    const page = await call('GET /r/{id}/report', { params: { id }, query: { sent: 'true' } });
    expect(page.body).toContain('Report sent');
  });
});
