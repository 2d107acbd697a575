import { describe, expect, it } from 'vitest';
import { openContent, openFile } from '../../../../functions/web/browser/sealed/content.ts';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { call } from '../../../support/service/call.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { whileMailIsOn } from '../../../support/service/mail.ts';
import { enterCode, plantCode, proofsIn } from '../../../support/shares/codes.ts';
import { uploaded } from '../../../support/shares/files.ts';
import { linksOf, sharesOf } from '../../../support/shares/requests.ts';
import {
  newSeal,
  type Seal,
  sealedBody,
  sealFiles,
  sealText,
  secretText,
  unseal,
} from '../../../support/shares/sealed.ts';
import { frame, open, page, raw } from '../../../support/shares/shares.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';
import { usePeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-30T12:00:00Z');
useTable();
useBucket();
useJobs();

const { ann: person, ben } = usePeople({ ann: newPerson, ben: newPerson });
const ann = { ...sharesOf(person), ...linksOf(person) };

const newSealed = async (body: object = {}, seal?: Seal) => {
  const used = seal ?? (await newSeal());
  return { seal: used, id: await ann.newShare(await sealedBody(used, body)) };
};

const viewsOf = async (id: string): Promise<number> => (await ann.look(id)).body.views;

const wrong = 'A'.repeat(43);

describe('GET /api/share of a sealed share', () => {
  it('gives the envelope to who proves the key, and counts a view', async () => {
    const { id, seal } = await newSealed({ title: 'Codes' });
    const { status, body } = await unseal(id, { proof: seal.proof });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ id, title: 'Codes', language: 'markdown', views: 1, protected: false },
      ...{ sealed: true, passphrase: false, sealedBytes: expect.any(Number) },
    });
    expect(body).not.toHaveProperty('html');
    expect(await openContent(seal.key, body.content)).toEqual({
      ...{ language: 'markdown', text: secretText, files: [] },
    });
    expect(await viewsOf(id)).toBe(1);
  });

  it('refuses who proves nothing or another key, and counts no view', async () => {
    const { id } = await newSealed({ viewLimit: 1 });
    const other = await newSeal();
    const refused = [
      await unseal(id),
      await unseal(id, { proof: wrong }),
      await unseal(id, { proof: other.proof }),
      await unseal(id, { method: 'HEAD' }),
      await call('GET /api/share', { query: { id, password: 'Abc123' } }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect(refused[0]?.body.error.message).toContain('This share is sealed');
    expect(refused[1]?.body.error.message).toBe(
      'Incorrect key. Check the link and the passphrase.',
    );
    expect(JSON.stringify(refused)).not.toContain('SEJTA');
    expect(await viewsOf(id)).toBe(0);
  });

  it('counts nothing for HEAD with the proof', async () => {
    const { id, seal } = await newSealed({ viewLimit: 1 });
    expect((await unseal(id, { proof: seal.proof, method: 'HEAD' })).status).toBe(200);
    expect(await viewsOf(id)).toBe(0);
  });

  it('gives its owner the envelope, without a proof and a view', async () => {
    const { id, seal } = await newSealed();
    const { body } = await ann.look(id);
    expect((await openContent(seal.key, body.content)).text).toBe(secretText);
    expect(body).toMatchObject({ sealed: true, views: 0, passphrase: false });
    const { body: list } = await ann.list();
    const listed = list.items.find((one: { id: string }) => one.id === id);
    expect(listed).toMatchObject({ sealed: true, sealedBytes: body.sealedBytes });
    expect((await call('GET /api/share', { token: ben.token, query: { id } })).status).toBe(401);
  });

  it('takes the proof of a key that a passphrase joins', async () => {
    const seal = await newSeal('two words');
    const { id } = await newSealed({ content: await sealText(seal) }, seal);
    const { body } = await unseal(id, { proof: seal.proof });
    expect(body).toMatchObject({ passphrase: true });
    expect((await openContent(seal.key, body.content)).text).toBe(secretText);
  });
});

describe('the views of a sealed share', () => {
  it('are the same for requests with one nonce within a minute, also of the last view', async () => {
    const { id, seal } = await newSealed({ viewLimit: 1 });
    const ask = (claim?: string) => unseal(id, { proof: seal.proof, ...(claim && { claim }) });
    // As if the response was lost, then a reload.
    const answers = [await ask('first-nonce'), await ask('first-nonce'), await ask('first-nonce')];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await viewsOf(id)).toBe(1);
    expect([(await ask('other-nonce')).status, (await ask()).status]).toEqual([410, 410]);
    expect((await unseal(id, { proof: wrong, claim: 'first-nonce' })).status).toBe(401);
    pass(71_000);
    expect((await ask('first-nonce')).status).toBe(410);
  });

  it('are other ones with another nonce, after a minute and of another envelope', async () => {
    const { id, seal } = await newSealed({ viewLimit: 9 });
    const ask = () => unseal(id, { proof: seal.proof, claim: 'one-nonce' });
    await ask();
    await unseal(id, { proof: seal.proof, claim: 'two-nonce' });
    expect(await viewsOf(id)).toBe(2);
    pass(71_000);
    await ask();
    expect(await viewsOf(id)).toBe(3);
    await ann.put(id, { content: await sealText(seal, 'Another') });
    await ask();
    expect(await viewsOf(id)).toBe(4);
  });

  it('are exact when 50 with the key and 50 with another one come at once', async () => {
    const { id, seal } = await newSealed({ viewLimit: 3 });
    const tries = Array.from({ length: 100 }, (_, at) =>
      unseal(id, { proof: at % 2 === 0 ? seal.proof : wrong, address: `198.51.100.${at}` }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    const ofKey = statuses.filter((_, at) => at % 2 === 0);
    const ofOthers = statuses.filter((_, at) => at % 2 === 1);
    expect(ofKey.filter((status) => status === 200)).toHaveLength(3);
    expect(ofKey.filter((status) => status === 410)).toHaveLength(47);
    expect(ofOthers.every((status) => status === 401 || status === 410)).toBe(true);
    expect(await viewsOf(id)).toBe(3);
  });

  it('are not counted by what anyone can ask for', async () => {
    const { id } = await newSealed({ viewLimit: 1 });
    await page(id);
    await raw(id);
    await frame(id);
    await open(id);
    await open(id, { password: 'Abc123', claim: 'a-nonce' });
    await call('GET /api/share', { query: { id }, headers: { 'sec-purpose': 'prefetch' } });
    expect(await viewsOf(id)).toBe(0);
  });
});

describe('a sealed share', () => {
  it('is opened by a recipient link with the proof, which counts for it', async () => {
    const { id, seal } = await newSealed();
    const { body: link } = await ann.addLink(id, { label: 'Mei', viewLimit: 1 });
    expect((await unseal(link.id, { proof: wrong })).status).toBe(401);
    const { status, body } = await unseal(link.id, { proof: seal.proof });
    expect(status).toBe(200);
    expect(body.id).toBe(link.id);
    expect((await unseal(link.id, { proof: seal.proof })).status).toBe(410);
    expect((await ann.links(id)).body.items[0]).toMatchObject({ views: 1 });
    expect((await unseal(id, { proof: seal.proof })).status).toBe(200);
  });

  it('is opened by a link that asks for a code, with the cookie of the page and the proof', async () => {
    const { id, seal } = await newSealed();
    const fields = { email: 'mei@example.com', verify: true };
    const link = (await whileMailIsOn(() => ann.addLink(id, fields))).body.id;
    expect((await unseal(link, { proof: seal.proof })).status).toBe(401);
    const cookies = proofsIn(await enterCode(link, await plantCode(link)));
    expect((await unseal(link, { proof: seal.proof, cookies })).status).toBe(200);
    expect((await unseal(link, { proof: wrong, cookies })).status).toBe(401);
    expect((await unseal(link, { cookies })).body.error.message).toContain('asks for a code');
  });

  it('has an audience, whose readers leave a receipt once they prove the key', async () => {
    const { id, seal } = await newSealed({ readers: [ben.id] });
    expect((await unseal(id, { proof: seal.proof })).status).toBe(401);
    expect((await unseal(id, { token: ben.token, proof: wrong })).status).toBe(401);
    expect((await ann.receipts(id)).body.readers).toMatchObject([{ id: ben.id, times: 0 }]);
    expect((await unseal(id, { token: ben.token, proof: seal.proof })).status).toBe(200);
    expect((await ann.receipts(id)).body.readers).toMatchObject([{ id: ben.id, times: 1 }]);
  });

  it('expires as others do', async () => {
    const { id, seal } = await newSealed({ expiresIn: 60 });
    pass(61_000);
    expect((await unseal(id, { proof: seal.proof })).status).toBe(410);
  });

  it('has files that are downloaded by what the proof has opened', async () => {
    const seal = await newSeal();
    const { named, sent } = await sealFiles(seal, { 'plans/safe.txt': 'Behind the picture' });
    const upload = await uploaded(person.token, sent);
    const content = await sealText(seal, 'See the file', named);
    const { id } = await newSealed({ content, upload }, seal);
    const bare = await call('GET /{id}/{path+}', { params: { id, path: 'f0.sealed' } });
    expect(bare.status).toBe(404);
    const { body } = await unseal(id, { proof: seal.proof });
    expect(body.files.map(({ path }: { path: string }) => path)).toEqual(['index.md', 'f0.sealed']);
    const opened = await openContent(seal.key, body.content);
    expect(opened.files).toEqual(named);
    const [, prefix = ''] = /\/([^/]+)\/$/.exec(body.filesUrl) ?? [];
    const file = await call('GET /{id}/{path+}', { params: { id: prefix, path: 'f0.sealed' } });
    expect(file.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename=f0.sealed',
      'access-control-allow-origin': '*',
    });
    const bytes = Uint8Array.from(Buffer.from(file.body, 'base64'));
    const [first] = opened.files;
    expect(first && new TextDecoder().decode(await openFile(seal.key, first, bytes))).toBe(
      'Behind the picture',
    );
    const page = await call('GET /{id}/{path+}', { params: { id: prefix, path: 'index.md' } });
    expect(page.status).toBe(422);
  });
});
