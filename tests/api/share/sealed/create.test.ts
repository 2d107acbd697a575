import { describe, expect, it } from 'vitest';
import { toBase64url } from '../../../../shared/sealed/base64url.ts';
import { formOf, multipartType } from '../../../support/files/files.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { call } from '../../../support/service/call.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { uploaded } from '../../../support/shares/files.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { newSeal, sealedBody, sealFiles, sealText } from '../../../support/shares/sealed.ts';
import { itemsOf, useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';
import { usePeople } from '../../../support/users/use-people.ts';

useTable();
useBucket();
useJobs();

const { ann: person } = usePeople({ ann: newPerson });
const ann = sharesOf(person);

const detailsOf = async (body: object) => {
  const { status, body: answer } = await ann.create(body);
  return [status, answer.error?.details?.[0]?.field, answer.error?.details?.[0]?.message];
};

describe('POST /api/share with sealed', () => {
  it('creates a share in the language of its envelope, with the hash of its proof', async () => {
    const seal = await newSeal();
    const { status, body } = await ann.create(await sealedBody(seal, { title: 'Codes' }));
    expect(status).toBe(201);
    expect(body).toMatchObject({ language: 'markdown', message: 'Shared', audience: 'link' });
    expect(body).not.toHaveProperty('password');
    const items = await itemsOf(`SHARE#${body.id}`);
    const record = items.find(({ ownerId }) => ownerId !== undefined);
    expect(record).toMatchObject({
      ...{ title: 'Codes', sealed: { bytes: expect.any(Number), passphrase: false } },
      password: { id: expect.any(String), proofHash: expect.anything() },
    });
    expect(record).not.toHaveProperty('contentTitle');
    expect(JSON.stringify(items)).not.toContain(seal.proof);
  });

  it('has the sizes of envelopes only, whatever is in them', async () => {
    const seal = await newSeal();
    const bytes = [];
    for (const text of ['a', 'b'.repeat(900)]) {
      const id = await ann.newShare(
        await sealedBody(seal, { content: await sealText(seal, text) }),
      );
      bytes.push((await ann.look(id)).body.sealedBytes);
    }
    expect(bytes[0]).toBe(bytes[1]);
  });

  it('is the same share for a repeated key', async () => {
    const headers = { 'idempotency-key': 'sealed-create-1' };
    const body = await sealedBody(await newSeal());
    const send = () => call('POST /api/share', { token: person.token, headers, body });
    const [first, second] = [await send(), await send()];
    expect(second.body.id).toBe(first.body.id);
  });

  it.each<[string, object, number, string, string]>([
    ['no proof', { proof: undefined }, 400, 'proof', 'is required of a sealed share'],
    ['a short proof', { proof: 'abc' }, 400, 'proof', 'must be 32 bytes'],
    ['no content', { content: undefined }, 400, 'content', 'is required'],
    ['plain content', { content: '# Hi' }, 422, 'content', 'is no sealed envelope'],
    ['the start alone', { content: 'SEJTAQ' }, 422, 'content', 'is no sealed envelope'],
    ['another language', { language: 'html' }, 400, 'language', 'must be that of the envelope'],
    ['a password', { password: 'Abc123' }, 422, 'password', 'is not for a sealed share'],
    ['a random one', { useRandomPassword: true }, 422, 'useRandomPassword', 'is not for a sealed'],
    ['embedding', { embedOrigins: ['*'] }, 422, 'embedOrigins', 'is not for a sealed share'],
    ['revisions for all', { showsRevisions: true }, 422, 'showsRevisions', 'is not for a sealed'],
  ])('refuses %s', async (_, change, status, field, message) => {
    const body = { ...(await sealedBody(await newSeal())), ...change };
    const refused = await detailsOf(body);
    expect(refused.slice(0, 2)).toEqual([status, field]);
    expect(refused[2]).toContain(message);
  });

  it('refuses a proof without it, and the envelope of a file', async () => {
    const seal = await newSeal();
    expect(await detailsOf({ proof: seal.proof })).toEqual([
      ...[400, 'proof', 'is of a sealed share: send sealed, too'],
    ]);
    const { sent } = await sealFiles(seal, { 'a.txt': 'A' });
    const content = toBase64url(sent['f0.sealed'] ?? new Uint8Array());
    const refused = await detailsOf(await sealedBody(seal, { content }));
    expect(refused).toEqual([422, 'content', 'is the envelope of a file']);
  });

  it('refuses it in a query, and in other bodies than JSON', async () => {
    const headers = { 'content-type': 'text/markdown' };
    const send = (query: Record<string, string>) =>
      call('POST /api/share', { token: person.token, query, headers, body: '# Hi' });
    for (const query of [{ sealed: 'true' }, { proof: 'A'.repeat(43) }]) {
      expect((await send(query)).status).toBe(400);
    }
    const { status, body } = await call('POST /api/share', {
      ...{ token: person.token, headers: multipartType },
      body: formOf(
        { name: 'content', content: '# Hi' },
        { name: 'sealed', content: 'true' },
      ).toString(),
    });
    expect([status, body.error.details]).toEqual([
      ...[400, [{ field: 'sealed', message: 'must be sent in a JSON body' }]],
    ]);
  });

  it('takes envelopes as files, by names that tell nothing', async () => {
    const seal = await newSeal();
    const { named, sent } = await sealFiles(seal, { 'a.txt': 'A', 'b.txt': 'B' });
    const content = await sealText(seal, '', named);
    const upload = await uploaded(person.token, sent);
    const id = await ann.newShare(await sealedBody(seal, { content, upload }));
    const { body } = await ann.look(id);
    expect(body.files.map(({ path, type }: Record<string, string>) => [path, type])).toEqual([
      ['index.md', 'application/octet-stream'],
      ['f0.sealed', 'application/octet-stream'],
      ['f1.sealed', 'application/octet-stream'],
    ]);
  });

  it.each([
    ['a name that says something', 'Report.sealed', undefined, 400],
    ['bytes that aren’t sealed', 'f0.sealed', 'plain bytes of a file', 422],
  ])('refuses a file with %s', async (_, path, plain, status) => {
    const seal = await newSeal();
    const { sent } = await sealFiles(seal, { 'a.txt': 'A' });
    const upload = await uploaded(person.token, { [path]: plain ?? sent['f0.sealed'] ?? '' });
    const refused = await detailsOf(await sealedBody(seal, { upload }));
    expect(refused.slice(0, 2)).toEqual([status, 'files']);
  });
});
