// What is said where a sealed share is listed, linked or saved without its key.
import { expect, it } from 'vitest';
import { section } from '../../../../functions/api/share/archive.ts';
import { openContent } from '../../../../functions/web/browser/sealed/content.ts';
import { readSection } from '../../../support/exports/archive.ts';
import { listed } from '../../../support/notifications/notifications.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { call } from '../../../support/service/call.ts';
import { settleJobs, useJobs } from '../../../support/service/jobs.ts';
import { mailsTo, useMail } from '../../../support/service/mail.ts';
import { askCode } from '../../../support/shares/codes.ts';
import { uploaded } from '../../../support/shares/files.ts';
import { linksOf, sharesOf } from '../../../support/shares/requests.ts';
import {
  newSeal,
  sealedBody,
  sealFiles,
  sealText,
  secretText,
} from '../../../support/shares/sealed.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson, newUserOf } from '../../../support/users/test-users.ts';
import { usePeople } from '../../../support/users/use-people.ts';

useTable();
useBucket();
useJobs();
useMail();

const {
  ann: person,
  ben,
  mod,
} = usePeople({
  ann: newPerson,
  ben: newPerson,
  mod: () => newUserOf('user', { extraPermissions: ['shares:manage'] }),
});
const ann = { ...sharesOf(person), ...linksOf(person) };

it('the notification of its readers says that they need the key', async () => {
  await ann.newShare(await sealedBody(await newSeal(), { title: 'Codes', readers: [ben.id] }));
  await settleJobs();
  const [notice] = (await listed(ben)).items;
  expect(notice?.content).toBe(
    '“Codes”. It is sealed, so you also need its key: ask who shared it for the whole link.',
  );
});

it('the email with a code says that the reader needs the key', async () => {
  const email = 'mei.sealed@example.com';
  const codeOf = async (body: object) => {
    const id = await ann.newShare(body);
    const { body: link } = await ann.addLink(id, { email, verify: true });
    await askCode(link.id);
    await settleJobs();
    return (await mailsTo(email)).at(-1)?.text ?? '';
  };
  expect(await codeOf(await sealedBody(await newSeal()))).toContain('you also need its key');
  expect(await codeOf({ content: '# Hi', language: 'markdown' })).not.toContain('key');
});

it('moderators are told that it is sealed, and see nothing of its content', async () => {
  const id = await ann.newShare(await sealedBody(await newSeal()));
  const token = mod.token;
  const { body: list } = await call('GET /api/shares', {
    token,
    query: { ownerId: String(person.id) },
  });
  const found = list.data.items.find((one: { id: string }) => one.id === id);
  expect(found).toMatchObject({ sealed: true, passphrase: false });
  const { body: detail } = await call('GET /api/shares/{id}', { token, params: { id } });
  expect(detail.data).toMatchObject({ sealed: true, content: null });
});

it('the archive of its owner has the envelopes, which the key opens', async () => {
  const owner = await newPerson();
  const { newShare, put } = sharesOf(owner);
  const seal = await newSeal();
  const id = await newShare(await sealedBody(seal));
  await put(id, { content: await sealText(seal, 'Edited') });
  const { named, sent } = await sealFiles(seal, { 'a.txt': 'A' });
  const upload = await uploaded(owner.token, sent);
  const other = await newShare(
    await sealedBody(seal, { content: await sealText(seal, '', named), upload }),
  );
  const archive = await readSection(section, owner);
  expect(archive.paths).toEqual(
    expect.arrayContaining([
      ...[`shares/${id}/content.sealed`, `shares/${id}/revisions/1.sealed`],
      ...[`shares/${other}/files/f0.sealed`, `shares/${other}/share.json`],
    ]),
  );
  expect(archive.json(`shares/${id}/share.json`)).toMatchObject({
    ...{ sealed: true, content: 'content.sealed' },
  });
  const opened = await openContent(seal.key, archive.text(`shares/${id}/content.sealed`));
  expect(opened.text).toBe('Edited');
  const former = await openContent(seal.key, archive.text(`shares/${id}/revisions/1.sealed`));
  expect(former.text).toBe(secretText);
});
