import { beforeEach, describe, expect, it } from 'vitest';
import { owned } from '../../../functions/api/share/owned.ts';
import { removeUser, update } from '../../../functions/api/users/record/users.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { frame, open, page, raw, view } from '../../support/shares/shares.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf, type Person } from '../../support/users/test-users.ts';

useTable();
useBucket();
useJobs();

const looks = { view, page, raw, frame, open };

const suspend = ({ id }: Person, status: 'active' | 'suspended' = 'suspended') =>
  update(id, () => ({ status }), systemRecorder('user.update'));

/** Removes a user, and leaves the user's records to a job. */
const remove = ({ id }: Person) =>
  removeUser(id, () => undefined, undefined, systemRecorder('user.delete'));

const transfer = (from: Person, to: Person) =>
  owned.deleteOrTransfer(from.id, { to: to.id, former: [], deadline: Date.now() + 60_000 });

describe('a process that knows the owner of a share', () => {
  let ann: Person;
  let id: string;
  const statuses = async () => {
    const found: number[] = [];
    for (const look of Object.values(looks)) found.push((await look(id)).status);
    return found;
  };
  beforeEach(async () => {
    ann = await newUserOf('user', { name: 'Ann' });
    id = await sharesOf(ann).newShare({ title: 'Hi' });
    expect(await statuses()).toEqual([200, 200, 200, 200, 303]);
  });

  it('shows it no more as soon as the owner is suspended', async () => {
    await suspend(ann);
    expect(await statuses()).toEqual([410, 410, 410, 410, 410]);
    await suspend(ann, 'active');
    expect(await statuses()).toEqual([200, 200, 200, 200, 303]);
  });

  it('shows it no more as soon as the owner is removed', async () => {
    await remove(ann);
    expect(await statuses()).toEqual([404, 404, 404, 404, 404]);
  });

  it('shows the name of the owner as soon as it changes', async () => {
    await update(ann.id, () => ({ name: 'Anna Karenina' }), systemRecorder('user.update'));
    expect((await page(id)).body).toContain('Anna Karenina');
  });

  it('reads the new owner of a transferred share', async () => {
    const bob = await newUserOf('user', { name: 'Bob Dylan' });
    await transfer(ann, bob);
    await suspend(ann);
    const { status, body } = await page(id);
    expect([status, String(body).includes('Bob Dylan')]).toEqual([200, true]);
    await suspend(bob);
    expect(await statuses()).toEqual([410, 410, 410, 410, 410]);
  });
});
