import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLinkId } from '../../../../functions/api/share/record/links.ts';
import { isPassword } from '../../../../functions/api/share/record/share-password.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { linksOf, sharesOf } from '../../../support/shares/requests.ts';
import { open, view } from '../../../support/shares/shares.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';
import { usePeople } from '../../../support/users/use-people.ts';

vi.mock(import('../../../../functions/api/share/record/share-password.ts'), { spy: true });

useTable();
useJobs();

const { ann: person } = usePeople({ ann: newPerson });
const ann = { ...sharesOf(person), ...linksOf(person) };
const password = 'Abc123';

beforeEach(() => {
  vi.stubEnv('RATE_LIMIT_FACTOR', '1');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a password that can open nothing', () => {
  it.each<[string, (id: string, link: string) => Promise<unknown>, boolean, number]>([
    ['an unknown link', async () => undefined, false, 404],
    ['a revoked link', (id, link) => ann.revokeLink(id, link), true, 410],
    ['a share that ended', (id) => ann.end(id), true, 410],
    ['a share that was deleted', (id) => ann.remove(id), true, 404],
  ])('is not verified: %s', async (_, prepare, isKnown, status) => {
    const id = await ann.newShare({ password });
    const link = (await ann.addLink(id)).body.id as string;
    await prepare(id, link);
    const given = isKnown ? link : createLinkId();
    vi.mocked(isPassword).mockClear();
    for (let tries = 0; tries < 7; tries++) {
      const answers = [await view(given, 'Xyz999'), await open(given, { password: 'Xyz999' })];
      expect(answers.map((one) => one.status)).toEqual([status, status]);
    }
    expect(isPassword).not.toHaveBeenCalled();
  });

  it('is verified and counted where it could open the share', async () => {
    const id = await ann.newShare({ password });
    const link = (await ann.addLink(id)).body.id as string;
    vi.mocked(isPassword).mockClear();
    const tries = [];
    for (let count = 0; count < 6; count++) {
      tries.push((await view(link, 'Xyz999')).status);
    }
    expect(tries).toEqual([401, 401, 401, 401, 401, 429]);
    expect(isPassword).toHaveBeenCalledTimes(5);
  });
});
