import { afterEach, describe, expect, it, vi } from 'vitest';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { entriesAbout } from '../../../support/service/audit.ts';
import { call } from '../../../support/service/call.ts';
import { runMinute, useJobs } from '../../../support/service/jobs.ts';
import {
  deleteAllObjects,
  type Files,
  namesOf,
  objectsOf,
  sendForms,
  site,
  startUpload,
  uploaded,
  usageOf,
} from '../../../support/shares/files.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { useTable } from '../../../support/table/table.ts';
import { login, newPerson } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();

const hourMs = 3_600_000;
const bytesOf = (files: Files): number => namesOf(files).reduce((sum, { size }) => sum + size, 0);

const { ann, ben } = useNewPeople({ ann: newPerson, ben: newPerson });

const remove = (id: string, token = ann.token) =>
  call('DELETE /api/share/uploads/{id}', { token, params: { id } });

const share = (body: object) => call('POST /api/share', { token: ann.token, body });

const messageOf = ({ status, body }: Awaited<ReturnType<typeof call>>) => [
  status,
  body.error?.details[0]?.message ?? body.error?.message,
];

afterEach(async () => {
  vi.unstubAllEnvs();
  await deleteAllObjects();
});

describe('POST /api/share/uploads', () => {
  it('takes the files of a share ahead, which exists only then', async () => {
    const { status, body } = await startUpload(ann.token, site);
    expect([status, body.expiresAt, body.known]).toEqual([201, '2026-11-22T12:00:00.000Z', []]);
    expect(await usageOf(ann.id)).toEqual({ used: bytesOf(site), uploads: 1 });
    expect(await sendForms(body.forms, site)).toEqual([201, 201, 201]);
    const created = await share({ upload: body.id });
    expect([created.status, created.body.language]).toEqual([201, 'html']);
    expect((await sharesOf(ann).look(created.body.id)).body).toMatchObject({
      content: site['index.html'],
      files: namesOf(site),
    });
    expect(await usageOf(ann.id)).toEqual({ used: bytesOf(site), uploads: 0 });
    expect(messageOf(await share({ upload: body.id }))).toEqual([
      400,
      'is unknown, was used already or has expired',
    ]);
  });

  it('takes no other bytes than were announced', async () => {
    const { body } = await startUpload(ann.token, { 'index.html': 'Hello' });
    const send = (content: string) => sendForms(body.forms, { 'index.html': content });
    expect([await send('Hallo'), await send('Hello!'), await send('Hello')]).toEqual([
      [400],
      [400],
      [201],
    ]);
  });

  it('has the page in the language that is asked for', async () => {
    const files = { ...site, 'b.md': '# B' };
    const { body } = await share({
      upload: await uploaded(ann.token, files),
      language: 'markdown',
    });
    expect((await sharesOf(ann).look(body.id)).body).toMatchObject({
      content: '# B',
      main: 'b.md',
    });
    const upload = await uploaded(ann.token, site);
    expect(messageOf(await share({ upload, language: 'markdown' }))).toEqual([
      400,
      'must be a file in Markdown',
    ]);
  });

  it('names the files that were not sent', async () => {
    const { body } = await startUpload(ann.token, site);
    await sendForms(body.forms.slice(0, 1), site);
    expect(messageOf(await share({ upload: body.id }))).toEqual([
      409,
      'lacks style.css, img/dot.png: send them by their forms',
    ]);
    const again = await startUpload(ann.token, site, { upload: body.id });
    expect([again.status, again.body.id, again.body.known]).toEqual([201, body.id, ['index.html']]);
    expect(await sendForms(again.body.forms, site)).toEqual([201, 201]);
    expect((await share({ upload: body.id })).status).toBe(201);
  });

  it('signs the same bytes once, and adds files', async () => {
    const { body } = await startUpload(ann.token, { 'a.txt': 'Same', 'b.txt': 'Same' });
    expect([body.forms.length, body.known]).toEqual([1, ['b.txt']]);
    const more = await startUpload(ann.token, { 'index.html': 'Hello' }, { upload: body.id });
    expect(more.body.forms).toMatchObject([{ path: 'index.html' }]);
    expect(await usageOf(ann.id)).toEqual({ used: 9, uploads: 1 });
    const other = await startUpload(ann.token, { 'a.txt': 'Other' }, { upload: body.id });
    expect(messageOf(other)).toEqual([
      400,
      'has a.txt with other bytes already: start another upload',
    ]);
  });

  it('takes five uploads of a user at once, exactly', async () => {
    const files = { 'index.html': 'Hello' };
    const all = await Promise.all(Array.from({ length: 7 }, () => startUpload(ann.token, files)));
    const taken = all.filter(({ status }) => status === 201);
    expect(taken).toHaveLength(5);
    const [refused] = all.filter(({ status }) => status !== 201);
    expect(refused?.body.error.message).toBe(
      'You have 5 uploads that aren’t finished. Finish or delete one.',
    );
    expect(await usageOf(ann.id)).toEqual({ used: 25, uploads: 5 });
    expect((await remove(taken[0]?.body.id)).status).toBe(200);
    expect((await startUpload(ann.token, files)).status).toBe(201);
    expect((await startUpload(ben.token, files)).status).toBe(201);
  });

  it('reserves no more than the quota', async () => {
    vi.stubEnv('FILES_QUOTA', '1KB');
    const files = { 'index.html': 'x'.repeat(600) };
    const all = await Promise.all([1, 2].map(() => startUpload(ann.token, files)));
    expect(all.map(({ status }) => status).toSorted()).toEqual([201, 413]);
    expect(await usageOf(ann.id)).toEqual({ used: 600, uploads: 1 });
  });

  it('is for its user and its share alone', async () => {
    const own = await uploaded(ann.token, site);
    const id = await sharesOf(ann).newShare();
    expect((await remove(own, ben.token)).status).toBe(404);
    expect((await startUpload(ben.token, site, { upload: own })).status).toBe(404);
    expect((await startUpload(ben.token, site, { share: id })).status).toBe(404);
    expect(messageOf(await sharesOf(ann).put(id, { upload: own }))).toEqual([
      400,
      'was made for another share',
    ]);
    const forShare = await uploaded(ann.token, site, { share: id });
    expect(messageOf(await share({ upload: forShare }))).toEqual([
      400,
      'was made for another share',
    ]);
  });

  it.each([
    ['../a.html', 400],
    ['a\\b.html', 400],
    ['/index.html', 400],
  ])('refuses %s', async (path, status) => {
    expect((await startUpload(ann.token, { 'index.html': 'Hi', [path]: 'Hi' })).status).toBe(
      status,
    );
    expect(await usageOf(ann.id)).toEqual({ used: 0, uploads: 0 });
  });

  it('refuses more than a share has', async () => {
    const file = (path: string, size: number) => ({ path, size, sha256: 'a'.repeat(64) });
    const start = (files: object[]) =>
      call('POST /api/share/uploads', { token: ann.token, body: { files } });
    const many = Array.from({ length: 201 }, (_, at) => file(`${at}.txt`, 1));
    expect((await start(many)).status).toBe(413);
    expect((await start([file('a.bin', 4 * 1024 ** 2 + 1)])).status).toBe(413);
    const { status, body } = await start([file('index.html', 17 * 1024 ** 2)]);
    expect([status, body.error.message]).toEqual([
      413,
      '“index.html” has 17 MB. A page can have 16 MB, and 4 MB of gzip. Move its images, styles, scripts and data to files of their own.',
    ]);
    expect((await start([file('a.html', 16 * 1024 ** 2)])).status).toBe(201);
  });
});

describe('POST /api/share with an upload', () => {
  it('takes content as the page, and the files that it names', async () => {
    const upload = await uploaded(ann.token, { 'a.png': 'A picture', 'b.txt': 'Unused' });
    const [picture] = namesOf({ 'img/a.png': 'A picture' });
    const body = { upload, files: [picture], content: '![](img/a.png)', main: 'docs/page.md' };
    const { status, body: created } = await share({ ...body, language: 'markdown' });
    expect([status, created.missing]).toEqual([
      201,
      [{ path: 'docs/img/a.png', from: 'docs/page.md', line: 1 }],
    ]);
    expect((await sharesOf(ann).look(created.id)).body).toMatchObject({
      ...{ content: '![](img/a.png)', language: 'markdown', main: 'docs/page.md' },
      files: [{ path: 'docs/page.md' }, picture],
    });
  });

  it('makes one share of it, however many ask', async () => {
    const upload = await uploaded(ann.token, site);
    const all = await Promise.all([1, 2, 3].map(() => share({ upload })));
    const statuses = all.map(({ status }) => status).toSorted();
    expect([statuses[0], statuses.slice(1).every((one) => one === 400 || one === 409)]).toEqual([
      201,
      true,
    ]);
    expect(await usageOf(ann.id)).toEqual({ used: bytesOf(site), uploads: 0 });
  });

  it.each([
    [{ files: [{ path: 'a.txt', sha256: 'a'.repeat(64) }] }, 'files'],
    [{ main: 'none.html' }, 'main'],
    [{ main: 'style.css' }, 'main'],
    [{ main: 'index.html', language: 'markdown' }, 'main'],
  ])('refuses %j, and can be used again', async (body, field) => {
    const upload = await uploaded(ann.token, site);
    const refused = await share({ upload, ...body });
    expect([refused.status, refused.body.error.details[0].field]).toEqual([400, field]);
    expect((await share({ upload })).status).toBe(201);
  });

  it('needs an upload for the files that it names', async () => {
    const refused = await share({ content: 'Hi', files: namesOf(site) });
    expect(messageOf(refused)).toEqual([400, 'needs the `upload` that has sent them']);
  });

  it('says in the audit log how many files there are, and no name', async () => {
    const upload = await uploaded(ann.token, site);
    const { id } = (await share({ upload })).body;
    const [of] = await entriesAbout(`share:${id}`);
    expect(of?.after).toMatchObject({ files: 3, fileBytes: bytesOf(site) });
    const [started] = await entriesAbout(`upload:${upload}`);
    expect(started?.after).toEqual({ files: 3, fileBytes: bytesOf(site) });
    expect(JSON.stringify([of, started])).not.toContain('style.css');
  });
});

describe('an upload that is never used', () => {
  it('is gone after a day, with what it reserves and what was sent', async () => {
    const id = await uploaded(ann.token, site);
    expect(await objectsOf()).toHaveLength(3);
    pass(24 * hourMs);
    const { token } = (await login(ann.email)).body;
    expect(messageOf(await call('POST /api/share', { token, body: { upload: id } }))).toEqual([
      400,
      'is unknown, was used already or has expired',
    ]);
    pass(hourMs);
    await runMinute();
    expect(await objectsOf()).toEqual([]);
    expect(await usageOf(ann.id)).toEqual({ used: 0, uploads: 0 });
  });

  it('is deleted by its user', async () => {
    const id = await uploaded(ann.token, site);
    const { status, body } = await remove(id);
    expect([status, body]).toEqual([200, { id, message: 'Deleted' }]);
    expect(await objectsOf()).toEqual([]);
    expect(await usageOf(ann.id)).toEqual({ used: 0, uploads: 0 });
    expect((await remove(id)).status).toBe(404);
  });

  it('leaves nothing of a form that was sent after its deletion', async () => {
    const { body } = await startUpload(ann.token, site);
    await remove(body.id);
    await sendForms(body.forms, site);
    expect(await objectsOf()).toHaveLength(3);
    pass(25 * hourMs);
    await runMinute();
    pass(2 * hourMs);
    await runMinute();
    expect(await objectsOf()).toEqual([]);
  });
});
