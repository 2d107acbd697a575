import { describe, expect, it } from 'vitest';
import { deriveUsername, Username } from '../../../functions/api/users/record/username.ts';
import { Email } from '../../../shared/input/fields.ts';
import fc from '../../support/run/properties.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf, register } from '../../support/users/test-users.ts';

useTable();

const isUsername = (name: string): boolean => Username.safeParse(name).success;

describe('a derived username', () => {
  it.each([
    ['ann@example.com', 'ann'],
    ['ann.b_c-d@example.com', 'ann.b_c-d'],
    ['7@example.com', '7'],
    ['ann+news@example.com', 'annnews'],
    ["o'brien@example.com", 'obrien'],
    ['_ann_@example.com', 'ann'],
    ['-.-ann-@example.com', 'ann'],
    ['_@example.com', 'user'],
    ['+@example.com', 'user'],
    [`${'a'.repeat(31)}-b@example.com`, 'a'.repeat(31)],
    [`${'a'.repeat(64)}@example.com`, 'a'.repeat(32)],
  ])('derived from %s is %s', (email, username) => {
    expect(deriveUsername(email, 0)).toBe(username);
  });

  it('satisfies the username rule, also at the eighth attempt', () => {
    const character = fc.constantFrom(..."aZ7._-+'");
    const local = fc.string({ unit: character, minLength: 1, maxLength: 64 });
    fc.assert(
      fc.property(local, fc.nat(7), (text, attempt) => {
        const username = deriveUsername(`${text}@example.com`, attempt);
        expect([username, isUsername(username)]).toEqual([username, true]);
      }),
    );
  });

  it('gets a number if it is taken, without exceeding the length', () => {
    expect(deriveUsername(`${'a'.repeat(40)}@example.com`, 1)).toMatch(/^a{27,30}-\d{1,4}$/);
    expect(deriveUsername('_@example.com', 1)).toMatch(/^user-\d{1,4}$/);
  });
});

describe('an account without a chosen username', () => {
  it('has a valid username, however it is created', async () => {
    const root = await newUserOf('admin');
    for (const email of ['_r_@example.com', '-@example.com', '_@example.com', '--@example.com']) {
      expect(Email.safeParse(email).success).toBe(true);
      const made = email.startsWith('_')
        ? await register(email)
        : await call('POST /api/users', { token: root.token, body: { email, name: 'Ann' } });
      expect(made.status).toBe(201);
      const { id, username } = made.body.user ?? made.body.data;
      const params = { id: String(id) };
      const body = { username, phone: '030 12' };
      const changed = await call('PUT /api/users/{id}', { token: root.token, params, body });
      expect([email, changed.status, changed.body.data.username]).toEqual([email, 200, username]);
    }
  });
});
