import { describe, expect, it } from 'vitest';
import { openContent } from '../../../../functions/web/browser/sealed/content.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { entriesAbout } from '../../../support/service/audit.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { whileMailIsOn } from '../../../support/service/mail.ts';
import { uploaded } from '../../../support/shares/files.ts';
import { filesOf, linksOf, revisionsOf, sharesOf } from '../../../support/shares/requests.ts';
import {
  newSeal,
  type Seal,
  sealedBody,
  sealFiles,
  sealText,
  unseal,
} from '../../../support/shares/sealed.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson, newUserOf } from '../../../support/users/test-users.ts';
import { usePeople } from '../../../support/users/use-people.ts';

useTable();
useBucket();
useJobs();

const { ann: person, mod } = usePeople({
  ann: newPerson,
  mod: () => newUserOf('user', { extraPermissions: ['shares:manage'] }),
});
const ann = { ...sharesOf(person), ...linksOf(person), ...revisionsOf(person) };

const newSealed = async (body: object = {}) => {
  const seal = await newSeal();
  return { seal, id: await ann.newShare(await sealedBody(seal, body)) };
};

const textBy = async (id: string, { key, proof }: Seal) => {
  const { status, body } = await unseal(id, { proof });
  return status === 200 ? (await openContent(key, body.content)).text : status;
};

const fieldOf = async (answer: ReturnType<typeof ann.put>) => {
  const { status, body } = await answer;
  return [status, body.error?.details?.[0]?.field];
};

describe('PUT /api/share/{id} of a sealed share', () => {
  it('has its content changed by nobody else, who has no key', async () => {
    const { id, seal } = await newSealed();
    const content = await sealText(seal, 'Other');
    const refused = await sharesOf(mod).put(id, { content });
    expect([refused.status, refused.body.error.message]).toEqual([
      ...[403, expect.stringContaining('Only the owner')],
    ]);
    expect((await sharesOf(mod).put(id, { title: 'Moderated' })).status).toBe(200);
  });

  it('takes another envelope under the same key', async () => {
    const { id, seal } = await newSealed();
    const { status, body } = await ann.put(id, { content: await sealText(seal, 'New text') });
    expect([status, body.version, body.sealed]).toEqual([200, 2, true]);
    expect(await textBy(id, seal)).toBe('New text');
    const proof = seal.proof;
    expect((await ann.put(id, { content: await sealText(seal, 'Newer'), proof })).status).toBe(200);
    expect(await textBy(id, seal)).toBe('Newer');
  });

  it('takes an envelope under another key, after which the former one opens nothing', async () => {
    const { id, seal } = await newSealed();
    const next = await newSeal('a passphrase');
    const content = await sealText(next, 'Rekeyed');
    expect((await ann.put(id, { content, proof: next.proof })).status).toBe(200);
    expect(await textBy(id, seal)).toBe(401);
    expect(await textBy(id, next)).toBe('Rekeyed');
    expect((await ann.look(id)).body.passphrase).toBe(true);
    const audited = await entriesAbout(`share:${id}`);
    const { before, after } = audited.find(({ action }) => action === 'share.update') ?? {};
    expect([before, after]).toEqual([{}, { key: 'changed', content: 'changed' }]);
    expect(JSON.stringify(audited)).not.toContain(next.proof);
  });

  it('keeps the record that is sent as it was read', async () => {
    const { id } = await newSealed({ title: 'Codes' });
    const { body } = await ann.look(id);
    const kept = await ann.put(id, body);
    expect([kept.status, kept.body.version]).toEqual([200, 1]);
    const titled = await ann.put(id, { ...body, title: 'Other' });
    expect([titled.status, titled.body.version, titled.body.title]).toEqual([200, 2, 'Other']);
  });

  it('changes options and limits as of others', async () => {
    const { id, seal } = await newSealed();
    expect((await ann.put(id, { viewLimit: 1, title: 'A', notify: true })).status).toBe(200);
    expect(await textBy(id, seal)).toEqual(expect.any(String));
    expect(await textBy(id, seal)).toBe(410);
  });

  it('refuses what would leave it readable, or without its key', async () => {
    const { id, seal } = await newSealed();
    const phrased = await newSeal('words');
    const envelope = await sealText(seal, 'Again');
    const refused = [
      [{ content: '# Plain' }, 422, 'content'],
      [{ sealed: false }, 422, 'sealed'],
      [{ password: 'Abc123' }, 422, 'password'],
      [{ useRandomPassword: true }, 422, 'useRandomPassword'],
      [{ embedOrigins: ['https://blog.example.com'] }, 422, 'embedOrigins'],
      [{ proof: phrased.proof }, 422, 'proof'],
      [{ language: 'html' }, 422, 'language'],
      [{ content: envelope, language: 'html' }, 400, 'language'],
      [{ content: await sealText(phrased) }, 400, 'proof'],
      [{ content: envelope, proof: 'short' }, 400, 'proof'],
      [{ content: envelope, main: 'index.html' }, 422, 'main'],
      [{ sealedBytes: 5 }, 400, 'sealedBytes'],
    ] as const;
    for (const [body, status, field] of refused) {
      expect(await fieldOf(ann.put(id, body)), field).toEqual([status, field]);
    }
    const { body: current } = await ann.look(id);
    const sameText = { content: current.content, proof: phrased.proof };
    expect(await fieldOf(ann.put(id, sameText))).toEqual([422, 'proof']);
    expect(current.version).toBe(1);
  });

  it('refuses to seal a share that was readable', async () => {
    const id = await ann.newShare();
    const seal = await newSeal();
    const content = await sealText(seal);
    const { proof } = seal;
    expect(await fieldOf(ann.put(id, { sealed: true, content, proof }))).toEqual([422, 'sealed']);
    expect(await fieldOf(ann.put(id, { content, proof }))).toEqual([422, 'proof']);
    expect((await ann.put(id, { sealed: false, title: 'A' })).status).toBe(200);
  });

  it('changes files with the content that names them', async () => {
    const { id, seal } = await newSealed();
    const { named, sent } = await sealFiles(seal, { 'a.txt': 'A' });
    const upload = await uploaded(person.token, sent, { share: id });
    expect(await fieldOf(ann.put(id, { upload }))).toEqual([422, 'files']);
    const body = { upload, content: await sealText(seal, 'With a file', named) };
    expect(await ann.put(id, body)).toMatchObject({
      status: 200,
      body: { fileTotals: { count: 2 } },
    });
    const put = filesOf(person).put(id, 'b.sealed', { content: 'plain' });
    expect(await fieldOf(put)).toEqual([422, 'path']);
    const without = await ann.put(id, { content: await sealText(seal, 'Without'), files: null });
    expect(without.status).toBe(200);
    expect((await ann.look(id)).body).not.toHaveProperty('files');
  });
});

describe('what needs the text of a sealed share', () => {
  it('is refused: a diff, a restored revision, a link that is emailed', async () => {
    const { id, seal } = await newSealed();
    const { body: first } = await ann.look(id);
    await ann.put(id, { content: await sealText(seal, 'Second') });
    expect((await ann.revision(id, 1)).body.content).toBe(first.content);
    expect((await ann.diff(id, 1)).status).toBe(422);
    expect((await ann.restore(id, 1)).status).toBe(422);
    const send = { email: 'mei@example.com', send: true };
    const { link, refused } = await whileMailIsOn(async () => ({
      refused: await fieldOf(ann.addLink(id, send)),
      link: (await ann.addLink(id, { email: 'mei@example.com' })).body.id,
    }));
    expect(refused).toEqual([422, 'send']);
    expect(await whileMailIsOn(() => fieldOf(ann.sendLink(id, link)))).toEqual([422, 'send']);
  });

  it('is nothing that moderators get, who can take it down', async () => {
    const { id, seal } = await newSealed();
    await ann.report(id);
    const { body } = await sharesOf(mod).manage(id);
    expect(body.data).toMatchObject({ sealed: true, content: null, title: null });
    expect((await sharesOf(mod).decide(id, 'take-down')).status).toBe(200);
    expect(await textBy(id, seal)).toBe(410);
  });
});
