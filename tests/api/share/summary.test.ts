import { describe, expect, it } from 'vitest';
import { maxSummarized } from '../../../functions/api/share/listing/summary.ts';
import { creationLimits } from '../../../functions/api/share/requests/limits.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { report, sharesOf } from '../../support/shares/requests.ts';
import { view } from '../../support/shares/shares.ts';
import { useTable } from '../../support/table/table.ts';
import { login, newEmail, newPerson, newUserOf } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();

const minute = 60_000;

describe('the figures of your shares', () => {
  it('are zero without shares', async () => {
    const { summary } = sharesOf(await newPerson());
    expect(await summary()).toMatchObject({
      status: 200,
      body: { total: 0, counted: 0, active: 0, expiringSoon: 0, views: 0 },
    });
  });

  it('count those that can be read, those that expire soon, and all views of limited shares', async () => {
    const { newShare, summary, end } = sharesOf(await newPerson());
    await sharesOf(await newPerson()).newShare();
    await newShare({ expiresAt: '2026-11-28T12:08:00Z' });
    await newShare({ expiresAt: '2026-11-24T12:00:00Z' });
    const usedUp = await newShare({ viewLimit: 1 });
    const limited = await newShare({ viewLimit: 3 });
    const ended = await newShare();
    await newShare({ expiresIn: 60 });
    await view(usedUp);
    await view(limited);
    await end(ended);
    pass(2 * minute);
    expect((await summary()).body).toEqual({
      total: 6,
      counted: 6,
      active: 3,
      expiringSoon: 1,
      views: 2,
    });
    pass(10 * minute);
    expect((await summary()).body).toMatchObject({ active: 3, expiringSoon: 2 });
  });

  it('leave out a share that was taken down', async () => {
    const { newShare, summary } = sharesOf(await newPerson());
    const id = await newShare();
    await report(id);
    await sharesOf(await newUserOf('super_admin')).decide(id, 'take-down');
    expect((await summary()).body).toMatchObject({ total: 1, active: 0 });
  });

  it('cover the newest shares only, and say how many', async () => {
    const email = newEmail();
    await newPerson(email);
    let token = '';
    for (let made = 0; made <= maxSummarized; made++) {
      if (made % creationLimits[0].tokens === 0) {
        pass(creationLimits[0].perMs);
        ({ token } = (await login(email)).body);
      }
      await sharesOf({ token }).newShare();
    }
    expect((await sharesOf({ token }).summary()).body).toMatchObject({
      total: maxSummarized + 1,
      counted: maxSummarized,
    });
  });
});
