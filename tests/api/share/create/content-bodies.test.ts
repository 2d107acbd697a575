import { describe, expect, it } from 'vitest';
import { boundary, formOf, multipartType, type Part } from '../../../support/files/files.ts';
import { useVirtualTime } from '../../../support/run/virtual-time.ts';
import { call } from '../../../support/service/call.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { useTable } from '../../../support/table/table.ts';
import { login, newPerson } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();

const { ann } = useNewPeople({ ann: newPerson });

type Query = Readonly<Record<string, string>>;

/** Creates a share from a body as it is, or bytes. */
const send = (body: unknown, type: string, query: Query = {}, headers: object = {}) =>
  call('POST /api/share', {
    token: ann.token,
    body,
    query,
    headers: { 'content-type': type, ...headers },
  });

const sendForm = (parts: readonly Part[], query: Query = {}, headers: object = {}) =>
  send(formOf(...parts), multipartType['content-type'], query, headers);

const file = (fileName: string, content: string | Uint8Array): Part => ({
  name: 'file',
  fileName,
  content,
});

const look = async (id: string) => (await sharesOf(ann).look(id)).body;

const rawOf = (id: string, query: Query = {}) => call('GET /s/{id}/raw', { params: { id }, query });

const notText = 'must be text in UTF-8, in UTF-16 with a byte order mark, or in Windows-1252';
const knownCharset = 'must name a known charset, such as utf-8';

const cp1252 = (text: string) => Buffer.from(text.replace('\u20ac', '\x80'), 'latin1');
const utf16le = (text: string) => Buffer.from(text, 'utf16le');
const utf16be = (text: string) => utf16le(text).swap16();

const refusal = ({ status, body }: Awaited<ReturnType<typeof call>>) => [
  status,
  body.error?.details[0],
];

describe('POST /api/share with a bare body', () => {
  it.each([
    ['text/markdown', 'markdown', '# Hello', 'Hello'],
    ['text/markdown; charset=utf-8', 'markdown', '{"content":"no JSON"}', null],
    ['TEXT/HTML', 'html', '<p>Hello</p>', null],
  ])('takes %s', async (type, language, content, title) => {
    const { status, body } = await send(content, type);
    expect([status, body]).toEqual([
      201,
      {
        ...{ id: body.id, language, message: 'Shared', audience: 'link' },
        url: `https://handbill.test/s/${body.id}`,
      },
    ]);
    expect(await look(body.id)).toMatchObject({ language, content, title });
  });

  it('takes options of the query and the password of a header', async () => {
    const query = { title: 'Größe', slug: 'sizes-2026', viewLimit: '3', expiresIn: '3600' };
    const { body } = await send('Hi', 'text/markdown', query, { 'x-share-password': 'abc123' });
    expect(await look(body.id)).toMatchObject({
      title: 'Größe',
      slug: 'sizes-2026',
      viewLimit: 3,
      protected: true,
      expiresAt: '2026-11-21T13:00:00.000Z',
    });
    const opened = await call('GET /api/share', {
      query: { id: body.id },
      headers: { 'x-share-password': 'abc123' },
    });
    expect([opened.status, opened.body.content]).toEqual([200, 'Hi']);
  });

  it('returns a generated password', async () => {
    const { body } = await send('Hi', 'text/markdown', { useRandomPassword: 'true' });
    expect(body.password).toMatch(/^[A-Za-z0-9]{6}$/);
    expect((await look(body.id)).protected).toBe(true);
  });

  it.each([
    ['viewLimit', 'three', 'must be an integer from 1 to 1000000'],
    ['viewLimit', '0', 'must be an integer from 1 to 1000000'],
    ['expiresIn', '2d', 'must be an integer from 1 to 315360000'],
    ['useRandomPassword', 'yes', 'must be true or false'],
    ['slug', 'A', 'must have 3 to 64 characters of a-z, 0-9 and -'],
    ['password', 'abc123', 'must be sent as X-Share-Password, because URLs are logged'],
  ])('refuses %s=%s in the query', async (field, value, message) => {
    expect(refusal(await send('Hi', 'text/markdown', { [field]: value }))).toEqual([
      400,
      { field, message },
    ]);
  });

  it('refuses an invalid password and two of them', async () => {
    const header = { 'x-share-password': 'short' };
    expect(refusal(await send('Hi', 'text/markdown', {}, header))).toEqual([
      400,
      { field: 'password', message: 'must have exactly 6 letters or digits' },
    ]);
    const both = { content: 'Hi', password: 'abc123' };
    expect(
      refusal(await send(both, 'application/json', {}, { 'x-share-password': 'abc123' })),
    ).toEqual([400, { field: 'x-share-password', message: 'cannot be combined with a password' }]);
  });

  it('refuses an empty body and one that is no text', async () => {
    expect(refusal(await send('', 'text/markdown'))).toEqual([
      400,
      { field: 'content', message: 'must not be empty' },
    ]);
    expect(refusal(await send(Buffer.from([0x68, 0xff, 0]), 'text/markdown'))).toEqual([
      400,
      { field: 'body', message: notText },
    ]);
  });

  it.each([
    ['text/plain', 'Gr\xfc\xdfe \u20ac', cp1252, 'Windows-1252'],
    ['text/plain; charset=iso-8859-1', 'Gr\xfc\xdfe', cp1252, 'Windows-1252'],
    ['text/plain', '\ufeffGr\xfc\xdfe', utf16le, 'UTF-16'],
    ['text/plain; charset=utf-8', '\ufeffGr\xfc\xdfe', utf16be, 'UTF-16'],
    ['text/plain; charset="utf-16le"', 'Gr\xfc\xdfe', utf16le, 'UTF-16'],
    ['text/plain; charset=UTF-8', 'Gr\xfc\xdfe', Buffer.from, undefined],
  ])('reads %s, and says in which encoding: %j', async (type, text, encode, readAs) => {
    const { status, body } = await send(encode(text), type);
    expect([status, body.readAs]).toEqual([201, readAs]);
    expect((await rawOf(body.id)).body).toBe(text.replace('\ufeff', ''));
  });

  it.each([
    ['text/plain; charset=utf-8', Buffer.from([0x68, 0xfc]), 'body', 'must be text in utf-8'],
    ['text/plain; charset=nonsense', Buffer.from('Hi'), 'content-type', knownCharset],
  ])('refuses other bytes than %s says', async (type, bytes, field, message) => {
    expect(refusal(await send(bytes, type))).toEqual([400, { field, message }]);
  });

  it('shows plain text as the lines of a file', async () => {
    const text = '# note\n__init__.py\n';
    const { body } = await send(text, 'text/plain');
    expect(await look(body.id)).toMatchObject({
      ...{ title: null, language: 'markdown' },
      content: `\`\`\`text title="snippet.txt"\n${text}\`\`\`\n`,
    });
    expect(await rawOf(body.id)).toMatchObject({ body: text });
  });

  it.each([
    ['notes.log', 'notes.log'],
    ['Release notes', '"Release notes.txt"'],
  ])('names plain text by its title: %s', async (title, name) => {
    const { body } = await send('Hi', 'text/plain', { title });
    const { headers } = await rawOf(body.id, { download: '' });
    expect(headers['content-disposition']).toContain(`filename=${name}`);
  });

  it('removes a byte order mark', async () => {
    const { body } = await send(Buffer.from('\uFEFF# Hi'), 'text/markdown');
    expect((await look(body.id)).content).toBe('# Hi');
  });

  it('protects a JSON share by the header and completes it by the query, but its fields win', async () => {
    const sent = { content: '<p>Hi</p>', title: 'Its own' };
    const query = { title: 'Another', viewLimit: '2' };
    const { body } = await send(sent, 'application/json', query, { 'x-share-password': 'abc123' });
    expect(await look(body.id)).toMatchObject({ title: 'Its own', viewLimit: 2, protected: true });
  });

  it('refuses a text whose bytes the gateway replaced, and takes one that holds the replacement', async () => {
    const text = 'Gr\uFFFD\uFFFDe';
    const sendAs = (length: number, type = 'text/plain') =>
      send(text, type, {}, { 'content-length': String(length) });
    const message = 'must be text in UTF-8; send text in another encoding as the file of a form';
    for (const type of ['text/plain', 'text/markdown', 'application/json']) {
      expect(refusal(await sendAs(5, type))).toEqual([400, { field: 'body', message }]);
    }
    const { body } = await sendAs(Buffer.byteLength(text));
    expect(await rawOf(body.id)).toMatchObject({ body: text });
  });

  it('reads plain text with a byte order mark as JSON', async () => {
    const { body } = await send('\uFEFF{"content":"<p>Hi</p>"}', 'text/plain');
    expect(body.language).toBe('html');
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', ''])(
    'reads %j as JSON',
    async (type) => {
      const { status, body } = await send('{"content":"<p>Hi</p>"}', type);
      expect([status, body.language]).toEqual([201, 'html']);
    },
  );

  it.each(['text/markdown', 'text/html', 'text/plain', multipartType['content-type']])(
    'refuses %s with the session cookie',
    async (type) => {
      const { cookies = [] } = await login(ann.email);
      const response = await call('POST /api/share', {
        cookies: cookies.map((cookie) => cookie.split(';')[0] ?? ''),
        headers: { 'content-type': type },
        body: 'Hi',
      });
      expect([response.status, response.body.error.message]).toEqual([
        403,
        'Requests with a session cookie must use application/json.',
      ]);
    },
  );

  it('compares repeated requests by content and options', async () => {
    const key = { 'idempotency-key': 'notes' };
    const first = await send('Hi', 'text/markdown', { viewLimit: '3' }, key);
    const again = await send('Hi', 'text/markdown', { viewLimit: '3' }, key);
    expect([again.body.id, again.headers['idempotency-replayed']]).toEqual([first.body.id, 'true']);
    const other = await send('Hi', 'text/markdown', { viewLimit: '4' }, key);
    expect(other.status).toBe(422);
  });
});

describe('POST /api/share with a form', () => {
  it.each([
    ['notes.md', '# Hi', { title: 'notes', language: 'markdown', content: '# Hi' }],
    ['page.HTML', '<p>Hi</p>', { title: 'page', language: 'html', content: '<p>Hi</p>' }],
    [
      'notes.txt',
      '# note\n',
      {
        title: 'notes.txt',
        language: 'markdown',
        content: '```text title="notes.txt"\n# note\n```\n',
      },
    ],
    [
      'LICENSE',
      '__init__.py',
      {
        title: 'LICENSE',
        language: 'markdown',
        content: '```text title="LICENSE" noeol\n__init__.py\n```\n',
      },
    ],
    [
      'app.ts',
      'let a;\n',
      { title: 'app.ts', language: 'markdown', content: '```ts title="app.ts"\nlet a;\n```\n' },
    ],
  ])('shares %s by its name', async (name, content, expected) => {
    const { status, body } = await sendForm([file(name, content)]);
    expect(status).toBe(201);
    expect(await look(body.id)).toMatchObject(expected);
  });

  it.each([
    ['by its name', '# Hi', {}, 'notes'],
    ['by its front matter rather than by its name', '---\ntitle: Plan\n---\n# Hi', {}, 'Plan'],
    ['by its name if its front matter has no title', '---\ntags: [a]\n---\n# Hi', {}, 'notes'],
    ['by the query rather than by either', '---\ntitle: Plan\n---\n', { title: 'Mine' }, 'Mine'],
  ])('names a file %s', async (_, content, query, title) => {
    const { body } = await sendForm([file('notes.md', content)], query);
    expect(await look(body.id)).toMatchObject({ title, content });
  });

  it('reads a file in another encoding, and says so', async () => {
    const { body } = await sendForm([file('notes.md', cp1252('# Gr\xfc\xdfe'))]);
    expect([body.readAs, (await look(body.id)).content]).toEqual(['Windows-1252', '# Gr\xfc\xdfe']);
  });

  it('takes options as parts, too', async () => {
    const options = { title: 'Mine', viewLimit: '2', useRandomPassword: 'true', notify: 'true' };
    const parts = Object.entries(options).map(([name, content]) => ({ name, content }));
    const { body } = await sendForm([file('notes.md', '# Hi'), ...parts], { expiresIn: '60' });
    expect(body.password).toMatch(/^\w{6}$/);
    expect(await look(body.id)).toMatchObject({
      title: 'Mine',
      viewLimit: 2,
      notify: true,
      expiresAt: '2026-11-21T12:01:00.000Z',
    });
  });

  it.each([
    ['no file', [{ name: 'notes', content: 'Hi' }], 'file', 'is required: a part with a file'],
    ['bytes', [file('a.md', Buffer.from([0xff, 0]))], 'file', notText],
    ['an empty file', [file('a.ts', '')], 'content', 'must not be empty'],
    [
      'a wrong option',
      [file('a.md', 'Hi'), { name: 'viewLimit', content: 'x' }],
      'viewLimit',
      'must be an integer from 1 to 1000000',
    ],
  ] as const)('refuses %s', async (_, parts, field, message) => {
    expect(refusal(await sendForm(parts))).toEqual([400, { field, message }]);
  });

  it('refuses a broken form', async () => {
    const { status } = await send(`--${boundary}\r\n`, 'multipart/form-data');
    expect(status).toBe(400);
  });
});

describe('POST /api/share with Accept: text/plain', () => {
  const accept = { accept: 'text/plain' };

  it('returns the address, and a generated password on a second line', async () => {
    const plain = await send('Hi', 'text/markdown', {}, accept);
    expect([plain.status, plain.headers['content-type']]).toEqual([
      201,
      'text/plain; charset=utf-8',
    ]);
    expect(plain.body).toMatch(/^https:\/\/handbill\.test\/s\/[\w-]{22}\n$/);
    const secret = await send('Hi', 'text/markdown', { useRandomPassword: 'true' }, accept);
    expect(secret.body).toMatch(/^https:\/\/handbill\.test\/s\/[\w-]{22}\n[A-Za-z0-9]{6}\n$/);
  });

  it('returns errors as one line', async () => {
    const wrong = await send('Hi', 'text/markdown', { viewLimit: 'x' }, accept);
    expect([wrong.status, wrong.headers['content-type'], wrong.body]).toEqual([
      400,
      'text/plain; charset=utf-8',
      'Invalid viewLimit: must be an integer from 1 to 1000000.\n',
    ]);
    const taken = await send('Hi', 'text/markdown', { slug: 'admin' }, accept);
    expect([taken.status, taken.body]).toEqual([
      409,
      'The name “admin” is reserved; free names are admin-2 and admin-3.\n',
    ]);
    const nobody = await call('POST /api/share', { headers: accept, body: 'Hi' });
    expect([nobody.status, nobody.body]).toEqual([
      401,
      'The access token is missing, invalid or expired. Sign in again.\n',
    ]);
  });

  it.each([
    '*/*',
    'application/json',
    'application/json, text/plain',
    'text/plain;q=0.5, application/json',
  ])('returns JSON to %s', async (other) => {
    const { headers } = await send('Hi', 'text/markdown', {}, { accept: other });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });
});
