import { describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { endAsReader, linksOf, sharesOf } from '../../../support/shares/requests.ts';
import { newSeal, sealedBody, unseal } from '../../../support/shares/sealed.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';
import { usePeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();

const { ann: person } = usePeople({ ann: newPerson });
const ann = { ...sharesOf(person), ...linksOf(person) };

const newEndable = async (body: object = {}) => {
  const seal = await newSeal();
  const id = await ann.newShare(await sealedBody(seal, { readersCanEnd: true, ...body }));
  const opened = async (address = id) => (await unseal(address, { proof: seal.proof })).body;
  return { id, seal, opened };
};

describe('a reader of a sealed share', () => {
  it('ends it with the token of its answer, if the owner allows that', async () => {
    const { id, seal, opened } = await newEndable();
    const { endToken } = await opened();
    expect((await endAsReader(id, endToken)).status).toBe(303);
    expect((await unseal(id, { proof: seal.proof })).status).toBe(410);
    expect((await ann.look(id)).body).toMatchObject({ endedBy: 'reader' });
  });

  it('ends it by the recipient link that it came by, also after the last view of that', async () => {
    const { id, opened } = await newEndable();
    const { body: link } = await ann.addLink(id, { label: 'Mei', viewLimit: 1 });
    const { endToken } = await opened(link.id);
    expect((await endAsReader(id, endToken)).status).toBe(404);
    expect((await endAsReader(link.id, endToken)).status).toBe(303);
  });

  it('gets no token where the owner doesn’t allow it, and before the key is proven', async () => {
    const { id, seal, opened } = await newEndable();
    const refused = [await unseal(id), await unseal(id, { proof: 'C'.repeat(43) })];
    expect(JSON.stringify(refused)).not.toContain('endToken');
    expect((await ann.look(id)).body).not.toHaveProperty('endToken');
    await ann.put(id, { readersCanEnd: false });
    expect(await opened()).not.toHaveProperty('endToken');
    expect((await endAsReader(id)).status).toBe(404);
    expect((await unseal(id, { proof: seal.proof })).status).toBe(200);
  });

  it('can’t without a token, with that of another share, a day later and under another key', async () => {
    const [first, second] = [await newEndable(), await newEndable()];
    const { endToken } = await first.opened();
    for (const token of [undefined, 'forged', (await second.opened()).endToken]) {
      expect((await endAsReader(first.id, token)).status).toBe(404);
    }
    const next = await newSeal();
    const { content, proof } = await sealedBody(next);
    await ann.put(first.id, { content, proof });
    expect((await endAsReader(first.id, endToken)).status).toBe(404);
    const { endToken: later } = (await unseal(first.id, { proof })).body;
    pass(87_000_000);
    expect((await endAsReader(first.id, later)).status).toBe(404);
  });
});
