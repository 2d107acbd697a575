import { describe, expect, it } from 'vitest';
import { call } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { login, newUserOf, register } from '../../support/users/test-users.ts';

useTable();
useJobs();

const shown = 'ann@münchen.de';
const stored = 'ann@xn--mnchen-3ya.de';

describe('an email address with an international domain', () => {
  it('is one account in both forms, shown in letters', async () => {
    const { status, body } = await register('Ann@MÜNCHEN.de', { name: 'Ann' });
    expect([status, body.data.user.email]).toEqual([201, shown]);
    expect(await itemsOf(`EMAIL#${stored}`)).toHaveLength(1);
    expect((await register(stored)).status).toBe(409);
    for (const email of [shown, stored]) {
      expect((await login(email)).body.data.user.email).toBe(shown);
    }
    const { token } = await newUserOf('admin');
    for (const search of ['münchen', shown, stored]) {
      const found = await call('GET /api/users', { token, query: { search, pageSize: '10' } });
      expect(found.body.data.items.map((user: { email: string }) => user.email)).toEqual([shown]);
    }
    // Writing back what was read changes nothing.
    const own = (await login(shown)).body.data;
    const saved = await call('PUT /api/users/me', {
      token: own.accessToken,
      body: { ...own.user, name: 'Anna' },
    });
    expect([saved.status, saved.body.data.email]).toEqual([200, shown]);
  });

  it('may have a top-level domain of another script', async () => {
    const { status, body } = await register('ivan@пример.рф');
    expect([status, body.data.user.email]).toEqual([201, 'ivan@пример.рф']);
  });

  it.each(['änn@example.com', 'ann@mün chen.de', 'ann@xn--a.de/ü'])(
    'is refused if it is none: %s',
    async (email) => {
      const { body } = await register(email);
      expect(body.error.details).toEqual([
        { field: 'email', message: 'must be a valid email address' },
      ]);
    },
  );
});
