import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useJobs } from '../../../support/service/jobs.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { newSeal, sealedBody, unseal } from '../../../support/shares/sealed.ts';
import { open } from '../../../support/shares/shares.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';
import { usePeople } from '../../../support/users/use-people.ts';

useTable();
useJobs();

const { ann: person } = usePeople({ ann: newPerson });
const ann = sharesOf(person);

beforeEach(() => {
  vi.stubEnv('RATE_LIMIT_FACTOR', '1');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const wrong = 'B'.repeat(43);

const triesOf = async (id: string, count: number, address: (at: number) => string) => {
  const statuses = [];
  for (let at = 0; at < count; at++) {
    statuses.push((await unseal(id, { proof: wrong, address: address(at) })).status);
  }
  return statuses;
};

describe('wrong keys of a sealed share', () => {
  it('are counted by network, and keep nobody else out', async () => {
    const seal = await newSeal();
    const id = await ann.newShare(await sealedBody(seal));
    const other = await ann.newShare(await sealedBody(seal));
    const tries = await triesOf(id, 60, () => '198.51.100.7');
    expect(new Set(tries)).toEqual(new Set([401]));
    const own = { proof: seal.proof, address: '198.51.100.7' };
    expect((await unseal(other, own)).status).toBe(429);
    expect((await unseal(id, { proof: seal.proof })).status).toBe(200);
  });

  it('are not counted by share, from however many networks', async () => {
    const seal = await newSeal();
    const id = await ann.newShare(await sealedBody(seal));
    const tries = await triesOf(id, 70, (at) => `203.0.113.${at}`);
    expect(new Set(tries)).toEqual(new Set([401]));
    expect((await unseal(id, { proof: seal.proof })).status).toBe(200);
  });

  it('are counted by share and network where a passphrase joins the key', async () => {
    const seal = await newSeal('a phrase');
    const id = await ann.newShare(await sealedBody(seal));
    const tries = await triesOf(id, 6, () => '192.0.2.55');
    expect(tries).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await unseal(id, { proof: seal.proof })).status).toBe(200);
  });

  it('are none of a form, of a request without a proof, and of right ones', async () => {
    const seal = await newSeal('a phrase');
    const id = await ann.newShare(await sealedBody(seal));
    for (let count = 0; count < 7; count++) {
      expect((await open(id, { password: 'Abc123' })).status).toBe(422);
      expect((await unseal(id)).status).toBe(401);
      expect((await unseal(id, { proof: seal.proof })).status).toBe(200);
    }
  });
});
