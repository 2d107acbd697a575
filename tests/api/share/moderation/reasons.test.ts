import { describe, expect, it } from 'vitest';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { call } from '../../../support/service/call.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { useTable } from '../../../support/table/table.ts';
import { newUserOf } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useTable();
useBucket();
useJobs();

const { owner, moderator } = useNewPeople({
  owner: 'user',
  moderator: () => newUserOf('user', { extraPermissions: ['shares:manage'] }),
});
const { newShare } = sharesOf(owner);
const { decide } = sharesOf(moderator);

describe('the reason of a decision', () => {
  it('is told to the owner, whole, and must be a text that can be shown', async () => {
    const id = await newShare({ title: 'Plans' });
    const reason = 'It asks for a password.\nAsk us if that’s wrong.'.padEnd(500, '.');
    const told = async () =>
      (await call('GET /api/notifications', { token: owner.token })).body.data.items[0].content;
    await decide(id, 'take-down', {}, reason);
    expect(await told()).toBe(
      `A moderator took down “Plans”. Its link no longer works. The moderator wrote: “${reason}”`,
    );
    await decide(id, 'keep', {}, 'Sorry, we were wrong');
    expect(await told()).toMatch(/to keep it\. The moderator wrote: “Sorry, we were wrong”$/);
    await decide(id, 'take-down', {}, '  ');
    expect(await told()).toMatch(/no longer works\.$/);
    for (const wrong of ['x'.repeat(501), 'evil\u202eexe', 7]) {
      const { status, body } = await decide(id, 'keep', {}, wrong);
      expect([status, body.error.details]).toMatchObject([400, [{ field: 'reason' }]]);
    }
  });
});
