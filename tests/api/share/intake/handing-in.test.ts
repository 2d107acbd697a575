import { afterEach, describe, expect, it, vi } from 'vitest';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { call } from '../../../support/service/call.ts';
import { settleJobs, useJobs } from '../../../support/service/jobs.ts';
import {
  filledIn,
  handIn,
  intakeOf,
  receiptIn,
  send,
  visit,
} from '../../../support/shares/intake.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { view } from '../../../support/shares/shares.ts';
import { itemsOf, useTable } from '../../../support/table/table.ts';
import { newPerson, newUserOf, setUser } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();
afterEach(() => void vi.unstubAllEnvs());

const { ann } = useNewPeople({ ann: newPerson });
const her = intakeOf(ann);
const hers = sharesOf(ann);

/** Returns what was handed in through a request, newest first. */
const submittedTo = async (id: string) => (await her.get(id)).body.submitted;

const contentOf = async (id: string) => (await hers.look(id)).body;

const day = 86_400_000;

describe('what is handed in', () => {
  it('becomes a private share of who asks, marked with the name that was given', async () => {
    const id = await her.newRequest({ submissions: 2 });
    const answer = await handIn(id, { text: 'Line 1\r\nLine 2' });
    expect(answer.status).toBe(303);
    const [{ receipt, share }] = await submittedTo(id);
    expect(receipt).toBe(receiptIn(answer));
    expect(receipt).toMatch(/^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/);
    expect(share).toMatchObject({
      audience: 'private',
      title: 'Logs of the outage',
      language: 'markdown',
      submittedBy: 'Mei',
    });
    const { content } = await contentOf(share.id);
    expect(content).toBe('```text title="text.txt" noeol\nLine 1\nLine 2\n```\n');
    expect((await hers.list()).body.items[0].submittedBy).toBe('Mei');
    expect((await view(share.id)).status).toBe(401);
  });

  it('lets what is handed in live as long as MAX_SHARE_AGE', async () => {
    vi.stubEnv('MAX_SHARE_AGE', '30d');
    await handIn(await her.newRequest());
    vi.unstubAllEnvs();
    const [newest] = (await hers.list()).body.items;
    expect(Date.parse(newest.expiresAt) - Date.parse(newest.createdAt)).toBe(30 * 86_400_000);
  });

  it('names its author to nobody but its owner', async () => {
    const id = await her.newRequest();
    await handIn(id);
    const [{ share }] = await submittedTo(id);
    const root = sharesOf(await newUserOf('super_admin'));
    expect((await root.manage(share.id)).body.data.submittedBy).toBeNull();
    await hers.put(share.id, { audience: 'link' });
    expect((await view(share.id)).body.submittedBy).toBeNull();
    expect((await root.manage(share.id)).body.data.submittedBy).toBeNull();
    expect((await contentOf(share.id)).submittedBy).toBe('Mei');
  });

  it('names its author on the page of its owner, as a text', async () => {
    const id = await her.newRequest();
    await handIn(id, { name: '<b>Mei</b>' });
    const [{ share }] = await submittedTo(id);
    await hers.put(share.id, { audience: 'link' });
    const open = (token?: string) =>
      call('GET /s/{id}', { params: { id: share.id }, ...(token && { token }) });
    expect((await open(ann.token)).body).toContain('From outside: &lt;b&gt;Mei&lt;/b&gt;');
    expect((await open()).body).not.toContain('Mei');
  });

  it('is told to who asks, once', async () => {
    const id = await her.newRequest();
    await handIn(id, { name: 'Mei <b>“x”</b>' });
    await settleJobs();
    const { body } = await call('GET /api/notifications', { token: ann.token });
    const [{ share }] = await submittedTo(id);
    expect(body.data.items).toMatchObject([
      {
        title: 'Something was handed in',
        content: 'From outside: “Mei <b>“x”</b>”, for “Logs of the outage”.',
        link: `/s/${share.id}`,
      },
    ]);
  });

  it.each([
    ['markdown', '# Title', 'markdown', '# Title'],
    ['html', '<h1>Hi</h1>', 'html', '<h1>Hi</h1>'],
    ['nonsense', 'Hi', 'markdown', '```text title="text.txt" noeol\nHi\n```\n'],
  ])('is shown as its author says: %s', async (format, text, language, content) => {
    const id = await her.newRequest();
    await handIn(id, { format, text });
    const [{ share }] = await submittedTo(id);
    expect(await contentOf(share.id)).toMatchObject({ language, content });
  });

  it('can be a file, which is shown as its name says', async () => {
    const id = await her.newRequest({ submissions: 3 });
    await handIn(id, { text: '' }, { 'page.html': '<p>Hi</p>' });
    await handIn(id, { text: '' }, { 'notes.md': '\uFEFF# Notes' });
    await handIn(id, { text: '' }, { 'app.log': Buffer.from('Gr\xfc\xdfe', 'latin1') });
    const all = await Promise.all(
      (await submittedTo(id)).map(async ({ share }: { share: { id: string } }) => {
        const { language, content } = await contentOf(share.id);
        return [language, content];
      }),
    );
    expect(all.toSorted()).toEqual([
      ['html', '<p>Hi</p>'],
      ['markdown', '# Notes'],
      ['markdown', '```text title="app.log" noeol\nGrüße\n```\n'],
    ]);
  });

  it('becomes blocks of code if there are several', async () => {
    const id = await her.newRequest();
    await handIn(id, { text: 'See below' }, { 'a.ts': 'let a;\n', 'b.md': '```\n# B\n' });
    const [{ share }] = await submittedTo(id);
    expect((await contentOf(share.id)).content).toBe(
      [
        '## `text.txt`\n\n```text title="text.txt" noeol\nSee below\n```\n',
        '## `a.ts`\n\n```ts title="a.ts"\nlet a;\n```\n',
        '## `b.md`\n\n````markdown title="b.md"\n```\n# B\n````\n',
      ].join('\n'),
    );
  });

  it('never shows again what was handed in', async () => {
    const id = await her.newRequest({ submissions: 2 });
    const answer = await handIn(id, { text: 'What only Ann is to read' });
    const receipt = await visit(id, { receipt: receiptIn(answer) });
    expect(receipt.body).toContain(receiptIn(answer));
    for (const { body } of [answer, receipt, await visit(id)]) {
      expect(body).not.toContain('What only Ann');
      expect(body).not.toContain('Mei');
    }
    expect((await visit(id, { receipt: 'AAAA-AAAA' })).body).not.toContain('AAAA-AAAA');
  });
});

describe('the number of submissions', () => {
  it('is exact with 20 at once for 3', async () => {
    const id = await her.newRequest({ submissions: 3 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => handIn(id)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([303, 303, 303, ...Array<number>(17).fill(410)]);
    const receipts = answers.filter(({ status }) => status === 303).map(receiptIn);
    expect((await her.get(id)).body).toMatchObject({ taken: 3, status: 'full' });
    const submitted = await submittedTo(id);
    expect(submitted.map(({ receipt }: { receipt: string }) => receipt).toSorted()).toEqual(
      receipts.toSorted(),
    );
    expect((await hers.list()).body.total).toBe(3);
  });

  it('counts a form that is sent again once, with the same receipt, also once the request is complete', async () => {
    const id = await her.newRequest({ submissions: 2 });
    const fields = filledIn();
    const files = { 'app.log': 'Line 1' };
    const both = await Promise.all([send(id, { fields, files }), send(id, { fields, files })]);
    await handIn(id);
    const again = await send(id, { fields, files });
    const receipts = [...both, again].map(receiptIn);
    expect(new Set(receipts).size).toBe(1);
    expect((await her.get(id)).body.taken).toBe(2);
    expect((await visit(id, { receipt: receipts[0] ?? '' })).status).toBe(200);
    expect((await visit(id)).status).toBe(410);
  });

  it('counts a form that was changed after it was sent', async () => {
    const id = await her.newRequest({ submissions: 2 });
    const fields = filledIn();
    const first = await send(id, { fields });
    const second = await send(id, { fields: { ...fields, text: 'And one more thing' } });
    expect(receiptIn(second)).not.toBe(receiptIn(first));
    expect((await her.get(id)).body.taken).toBe(2);
  });
});

describe('the form', () => {
  it('asks who it is for, with what was asked and whether the address is proven', async () => {
    const id = await her.newRequest({ title: 'Logs', note: 'From 9\nto 10' });
    const { status, body, headers } = await visit(id);
    expect(status).toBe(200);
    expect(body).toContain('From 9\nto 10');
    expect(body).toContain('Email address not verified');
    expect(body).not.toContain(ann.email);
    await setUser(ann.id, { emailVerifiedAt: '2026-11-01T12:00:00.000Z' });
    expect((await visit(id)).body).toContain('Email address verified');
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self';");
    expect(body).not.toContain('<script');
  });

  it('escapes what others wrote', async () => {
    const hostile = `"><script>alert(1)</script>`;
    await call('PUT /api/users/me', { token: ann.token, body: { name: hostile } });
    const id = await her.newRequest({ title: hostile, note: hostile, submissions: 2 });
    const pages = [
      await visit(id),
      await handIn(id, { name: hostile, text: `</textarea>${hostile}` }, { 'a.bin': '\0' }),
      await handIn(id, { name: '', text: '' }, { [`a%22${hostile.slice(1)}.bin`]: '\0' }),
      await visit(id, { receipt: receiptIn(await handIn(id, { name: hostile })) }),
    ];
    for (const { body } of pages) expect(body).not.toMatch(/<script|<\/textarea>"/);
  });

  it.each([
    ['no name', { name: ' ' }, {}, 'Enter your name: one line of up to 80 characters.', 400],
    ['a long name', { name: 'x'.repeat(81) }, {}, 'Enter your name', 400],
    ['nothing', { text: ' ' }, {}, 'Enter a text, or choose a file.', 400],
    ['an empty file', { text: '' }, { 'a.txt': '' }, 'Enter a text, or choose a file.', 400],
    [
      'a binary file',
      {},
      { 'a.txt': 'Text', 'photo.png': '\x89PNG\0' },
      '“photo.png” isn’t a text file. Choose the files again, without it.',
      400,
    ],
    [
      'more than 512 KB',
      {},
      { 'a.txt': 'x'.repeat(300 * 1024), 'b.txt': 'x'.repeat(300 * 1024) },
      'This is more than 512 KB. Send less at once. Choose the files again, too.',
      413,
    ],
    [
      'a file with control characters that fill 512 KB',
      { text: '' },
      { 'a.txt': '`'.repeat(512 * 1024) },
      'This is more than 512 KB.',
      413,
    ],
  ])('keeps what was typed after a mistake: %s', async (_, fields, files, message, expected) => {
    const id = await her.newRequest();
    const typed = { text: 'Much that was <typed>', format: 'html' };
    const { status, body } = await handIn(id, { ...typed, ...fields }, files);
    expect(status).toBe(expected);
    expect(body).toContain(message);
    if (!('text' in fields)) expect(body).toContain('Much that was &lt;typed&gt;</textarea>');
    if (!('name' in fields)) expect(body).toContain('value="Mei"');
    expect(body).toContain('value="html" checked');
    expect((await her.get(id)).body.taken).toBe(0);
  });

  it('refuses more files than a form can have, and text that is no form', async () => {
    const id = await her.newRequest();
    const files = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`${at}.txt`, 'x']));
    const refused = await handIn(id, {}, files);
    expect(refused.status).toBe(400);
    expect(refused.body).toContain('must contain at most 20 files and at most 10 other fields');
    const other = await send(id, {}, { headers: {}, body: 'name=Mei' });
    expect(other.status).toBe(400);
  });
});

describe('the password of a request', () => {
  it('is asked before anything is told of the request', async () => {
    const id = await her.newRequest({ password: 'Sesam1', note: 'A secret note' });
    const gate = await visit(id);
    expect(gate.status).toBe(200);
    expect(gate.body).not.toMatch(/Logs of|secret note|Ann/);
    const wrong = await send(id, { fields: { password: 'Sesam2' } });
    expect(wrong.status).toBe(401);
    expect(wrong.body).toContain('Incorrect password. Try again.');
    expect(wrong.body).not.toMatch(/Logs of|secret note/);
    const right = await send(id, { fields: { password: 'Sesam1' } });
    expect(right.status).toBe(200);
    expect(right.body).toContain('A secret note');
    const [, pass_ = ''] = right.body.match(/name="pass" value="([^"]+)"/) ?? [];
    expect((await handIn(id, { pass: pass_ })).status).toBe(303);
    expect((await handIn(id, { pass: pass_ })).status).toBe(410);
  });

  it('is needed to hand something in, and can be entered beside what was typed', async () => {
    const id = await her.newRequest({ password: 'Sesam1' });
    const missing = await handIn(id, { text: 'Much that was typed', pass: 'forged' });
    expect(missing.status).toBe(401);
    expect(missing.body).toContain('Enter the password again.');
    expect(missing.body).toContain('Much that was typed</textarea>');
    expect(missing.body).toContain('name="password"');
    expect((await handIn(id, { password: 'Sesam1' })).status).toBe(303);
  });

  it('takes the right away from who entered a former one', async () => {
    const id = await her.newRequest({ password: 'Sesam1' });
    const { body } = await send(id, { fields: { password: 'Sesam1' } });
    const [, former = ''] = body.match(/name="pass" value="([^"]+)"/) ?? [];
    await her.put(id, { password: 'Sesam2' });
    expect((await handIn(id, { pass: former })).status).toBe(401);
    await her.put(id, { password: null });
    expect((await handIn(id)).status).toBe(303);
  });
});

describe('a request takes nothing', () => {
  it('once it has expired, and isn’t found 90 days later', async () => {
    const id = await her.newRequest({ expiresIn: 3_600 });
    pass(3_600_000);
    for (const { status, body } of [await visit(id), await handIn(id)]) {
      expect(status).toBe(410);
      expect(body).toContain('This request has expired');
    }
    pass(90 * day);
    expect((await visit(id)).status).toBe(404);
  });

  it('while it is closed', async () => {
    const id = await her.newRequest();
    await her.put(id, { closed: true });
    expect((await handIn(id)).body).toContain('This request is closed');
    await her.put(id, { closed: false });
    expect((await handIn(id)).status).toBe(303);
  });

  it('while its owner is suspended', async () => {
    const id = await her.newRequest();
    await setUser(ann.id, { status: 'suspended' });
    for (const { status } of [await visit(id), await handIn(id)]) expect(status).toBe(410);
    await setUser(ann.id, { status: 'active' });
    expect((await handIn(id)).status).toBe(303);
  });

  it('while MAX_AUDIENCE is narrower than anyone with the link', async () => {
    const id = await her.newRequest();
    vi.stubEnv('MAX_AUDIENCE', 'members');
    for (const { status } of [await visit(id), await handIn(id)]) expect(status).toBe(404);
    expect(await her.create()).toMatchObject({
      status: 422,
      body: { error: { message: expect.stringContaining('MAX_AUDIENCE') } },
    });
    vi.unstubAllEnvs();
    expect((await visit(id)).status).toBe(200);
  });

  it.each(['GET /r/{id}', 'GET /r/{id}/report'])('if there is none: %s', async (endpoint) => {
    const { status, body } = await call(endpoint, { params: { id: 'nothing' } });
    expect(status).toBe(404);
    expect(body).toContain('Request not found');
  });
});

describe('the storage of who asks', () => {
  const usage = async () => (await call('GET /api/files/usage', { token: ann.token })).body.data;

  it('counts what is handed in until its content is deleted', async () => {
    const id = await her.newRequest({ submissions: 2 });
    const text = 'x'.repeat(1_000);
    await handIn(id, { text });
    pass(1);
    await handIn(id, { text });
    expect(await usage()).toMatchObject({ used: 2_000, submitted: 2_000, files: 0 });
    const [other, one] = await submittedTo(id);
    await hers.remove(one.share.id);
    expect(await usage()).toMatchObject({ used: 1_000, submitted: 1_000 });
    await hers.end(other.share.id);
    pass(10 * 60_000);
    await settleJobs();
    expect(await usage()).toMatchObject({ used: 0, submitted: 0 });
    expect((await submittedTo(id)).map(({ share }: { share: unknown }) => share)).toMatchObject([
      { status: 'ended', submittedBy: 'Mei' },
      null,
    ]);
  });

  it('takes no more than the quota, whatever comes at once', async () => {
    vi.stubEnv('FILES_QUOTA', '2KB');
    const id = await her.newRequest({ submissions: 9 });
    const text = 'x'.repeat(1_000);
    const answers = await Promise.all(Array.from({ length: 5 }, () => handIn(id, { text })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 303, 413, 413, 413]);
    const refused = answers.find(({ status }) => status === 413);
    expect(refused?.body).toContain('has no storage left');
    expect((await her.get(id)).body.taken).toBe(2);
    expect(await usage()).toMatchObject({ used: 2_000 });
  });
});

describe('what is stored of a request', () => {
  it('is deleted with its owner, reports included', async () => {
    const id = await her.newRequest({ submissions: 2 });
    await handIn(id);
    const root = await newUserOf('super_admin');
    const params = { id: String(ann.id) };
    await call('DELETE /api/users/{id}', { token: root.token, params });
    await settleJobs();
    expect(await itemsOf(`REQUEST#${id}`)).toEqual([]);
    expect(await itemsOf(`USER#${ann.id}`)).toEqual([]);
    expect((await visit(id)).status).toBe(404);
  });
});
