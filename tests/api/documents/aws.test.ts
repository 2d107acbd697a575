import { randomBytes } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { owned } from '../../../functions/api/documents/owned.ts';
import { passingErrors } from '../../support/aws/errors.ts';
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
const [[, busy] = []] = passingErrors();

const { author } = useNewPeople({ author: 'super_admin' });

const create = (body: object) =>
  call('POST /api/documents', { token: author.token, body: { title: 'A plan', ...body } });
const update = async (body: object) => {
  const { id } = (await create({})).body.data;
  const params = { id: String(id) };
  return () => call('PUT /api/documents/{id}', { token: author.token, params, body });
};

it('stores no large content without its scheduled deletion, and no document without its content', async () => {
  for (const [failing, before] of [
    ['Put', []],
    ['PutObject', ['Put']],
  ] as const) {
    const { result, sent } = await watch(
      () => create({ content }),
      ({ name }) => (name === failing ? busy : undefined),
    );
    const names = sent.map(({ name }) => name).filter((name) => /Put|TransactWrite/.test(name));
    expect([result.status, names]).toEqual([503, [...before, failing]]);
  }
});

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
  const { result, sent } = await watch(send, failConditions(record, { times: 1, first }));
  const transactions = sent.filter(({ name }) => name === 'TransactWrite');
  expect([result.status, transactions.length]).toEqual([404, 1]);
});

it('reads a removed author’s documents at once, and one again that has changed since', async () => {
  for (let count = 0; count < 3; count++) expect((await create({})).status).toBe(201);
  const own = () =>
    items.all().filter(({ sk, authorId }) => sk === 'DOCUMENT' && authorId === author.id);
  const changed = new RegExp(`^Delete ${own()[1]?.['pk']} DOCUMENT$`);
  const { result, sent } = await watch(
    () => owned.deleteOrTransfer(author.id, { to: undefined, former: [], deadline: Infinity }),
    failConditions(changed, { times: 1 }),
  );
  const reads = sent
    .filter(({ name }) => name === 'BatchGet')
    .map(({ input }) => Object.values<{ Keys: [] }>(input.RequestItems)[0]?.Keys.length);
  expect([result, reads]).toEqual([true, [3, 1]]);
  expect(own()).toEqual([]);
});
