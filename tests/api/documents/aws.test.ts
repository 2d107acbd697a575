import { randomBytes } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { owned } from '../../../functions/api/documents/owned.ts';
import { failConditions, useMockedService } from '../../support/aws/mocked-service.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

useVirtualTime('2026-11-21T12:00:00Z');
const { items, watch } = useMockedService();
const content = randomBytes(15_000).toString('base64');
const record = /^Put DOCUMENT#\S+ DOCUMENT$/;

const { author } = useNewPeople({ author: 'super_admin' });

const create = (body: object) =>
  call('POST /api/documents', { token: author.token, body: { title: 'A plan', ...body } });
const update = async (body: object) => {
  const { id } = (await create({})).body.data;
  const params = { id: String(id) };
  return () => call('PUT /api/documents/{id}', { token: author.token, params, body });
};

it('uploads content once, despite concurrent changes of other fields', async () => {
  const { result, sent } = await watch(
    await update({ content }),
    failConditions(record, { times: 2 }),
  );
  const uploads = sent.filter(({ name }) => name === 'PutObject');
  expect([result.status, uploads.length]).toEqual([200, 1]);
});

it('returns 404 if the document was deleted concurrently', async () => {
  const send = await update({ title: 'Next' });
  const { pk, sk } = items.find(({ title }) => title === 'A plan') ?? expect.unreachable();
  const first = () =>
    items.change(String(pk), String(sk), { deletedAt: '2026-11-21T12:00:00.000Z' });
  const { result } = await watch(send, failConditions(record, { times: 1, first }));
  expect(result.status).toBe(404);
});

it('deletes a removed author’s documents, also one that changes at the same time', async () => {
  for (let count = 0; count < 3; count++) expect((await create({})).status).toBe(201);
  const own = () =>
    items.all().filter(({ sk, authorId }) => sk === 'DOCUMENT' && authorId === author.id);
  const changed = new RegExp(`^Delete ${own()[1]?.['pk']} DOCUMENT$`);
  const { result } = await watch(
    () => owned.deleteOrTransfer(author.id, { to: undefined, former: [], deadline: Infinity }),
    failConditions(changed, { times: 1 }),
  );
  expect(result).toBe(true);
  expect(own()).toEqual([]);
});
