import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readMultipart } from '../../../shared/http/multipart.ts';
import {
  boundary,
  formOf,
  listed,
  multipartType,
  newOwner,
  type Part,
  upload,
} from '../../support/files/files.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { login } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useBucket();

const { ann } = usePeople({ ann: newOwner });

const send = (body: Uint8Array | string, headers: object = multipartType) =>
  call('POST /api/files/upload', { token: ann.token, headers: { ...headers }, body });

const file: Part = { name: 'file', fileName: 'a.txt', content: 'Hello' };
const whole = formOf(file);
const notAForm = 'must be multipart/form-data, with a part named file';
const malformed = 'must be valid multipart/form-data';
const tooMany = 'must contain one file and at most 10 other fields';
const longHeader = 'must contain at most 4096 bytes of headers per part';

/** A form whose part has a header of this many bytes, or a few more. */
const formWithHeader = (length: number, filler = 'x'): string =>
  [
    `--${boundary}`,
    `X-Filler: ${filler.repeat(length).slice(0, length - 80)}`,
    'Content-Disposition: form-data; name="file"; filename="a.txt"',
    '',
    'Hello',
    `--${boundary}--`,
    '',
  ].join('\r\n');

const tooLong = 'x'.repeat(5_000);
const fields = (count: number): Part[] =>
  Array.from({ length: count }, (_, at) => ({ name: `field${at}`, content: 'x' }));

const cases: readonly (readonly [string, Uint8Array | string, object, string, string])[] = [
  ['JSON', '{"file":"x"}', { 'content-type': 'application/json' }, 'body', notAForm],
  ['no type', whole, {}, 'body', notAForm],
  ['nothing at all', '', multipartType, 'body', malformed],
  ['no boundary', whole, { 'content-type': 'multipart/form-data' }, 'body', malformed],
  [
    'another boundary',
    whole,
    { 'content-type': 'multipart/form-data; boundary=other' },
    'body',
    malformed,
  ],
  ['another kind', whole, { 'content-type': `multipart/mixed; boundary=x` }, 'body', notAForm],
  ['no part', formOf(), multipartType, 'file', 'is required: a part with a file'],
  [
    'a misnamed part',
    formOf({ ...file, name: 'upload' }),
    multipartType,
    'file',
    'is required: a part with a file',
  ],
  [
    'a text field instead of a file',
    formOf({ name: 'file', content: 'Hello' }),
    multipartType,
    'file',
    'must be a file, with a name',
  ],
  [
    'a file field without a file',
    formOf({ ...file, fileName: '', content: '' }),
    multipartType,
    'file',
    'is required: a part with a file',
  ],
  ['two files', formOf(file, file), multipartType, 'body', tooMany],
  ['eleven fields', formOf(file, ...fields(11)), multipartType, 'body', tooMany],
  [
    'a field that is too long',
    formOf(file, { name: 'folder', content: tooLong }),
    multipartType,
    'folder',
    'must be at most 4096 bytes',
  ],
  [
    'a field twice',
    formOf(file, { name: 'folder', content: '' }, { name: 'folder', content: '' }),
    multipartType,
    'folder',
    'must occur once',
  ],
  ['100 KB of header', formWithHeader(100_000), multipartType, 'body', longHeader],
  [
    'a long header with boundaries that are none',
    formWithHeader(100_000, `--${boundary}`),
    multipartType,
    'body',
    longHeader,
  ],
  [
    'a long header of a later part',
    Buffer.concat([
      formOf(file).subarray(0, -`--${boundary}--\r\n`.length),
      Buffer.from(formWithHeader(5_000)),
    ]),
    multipartType,
    'body',
    longHeader,
  ],
  [
    'two boundaries',
    whole,
    { 'content-type': `multipart/form-data; x="; boundary=x"; boundary=${boundary}` },
    'body',
    malformed,
  ],
  ['noise', randomBytes(100_000), multipartType, 'body', malformed],
  [
    'a header without an end',
    `--${boundary}\r\nContent-Disposition: form-data; name="file"`,
    multipartType,
    'body',
    malformed,
  ],
];

describe('POST /api/files/upload', () => {
  it.each(cases)('rejects %s', async (_, body, headers, field, message) => {
    const response = await send(body, headers);
    expect([response.status, response.body.error.details]).toEqual([400, [{ field, message }]]);
  });

  it('rejects a form that is cut off at any position', async () => {
    const last = whole.length - 4;
    for (let end = 0; end < last; end += 1) {
      const { status, body } = await send(whole.subarray(0, end));
      expect([end, status, body.error.code]).toEqual([end, 400, 'VALIDATION_ERROR']);
    }
    expect((await listed(ann)).total).toBe(0);
  });

  it.each([
    ['../../etc/passwd', 201, 'passwd'],
    ['C:\\Users\\ann\\photo.png', 201, 'photo.png'],
    ['Zusammenfassung für 日本 👋.txt', 201, 'Zusammenfassung für 日本 👋.txt'],
    ["'; DROP TABLE files; --.txt", 201, "'; DROP TABLE files; --.txt"],
    ['<img src=x onerror=alert(1)>.png', 201, '<img src=x onerror=alert(1)>.png'],
    ['.htaccess', 201, '.htaccess'],
    ['a%22q%22.txt', 201, 'a"q".txt'],
    ['100%25 %41%2f.txt', 201, '100%25 %41%2f.txt'],
    ['a%0D%0Ab.txt', 400, 'has an invalid name, which must be one line without control characters'],
    ['..', 400, 'must be a file, with a name'],
    ['a\u0000b.png', 400, 'has an invalid name, which must be one line without control characters'],
    [
      'gpj.\u202eexe',
      400,
      'has an invalid name, which must not contain bidirectional control characters',
    ],
    ['x'.repeat(1_000), 400, 'has an invalid name, which must be at most 255 characters'],
  ])('accepts or rejects the name %j', async (name, status, expected) => {
    const response = await upload(ann, 'x', { name });
    expect(response.status).toBe(status);
    if (status === 201) expect(response.body.data.name).toBe(expected);
    else expect(response.body.error.details).toEqual([{ field: 'file', message: expected }]);
  });

  it('accepts 4 KB of headers in a part', async () => {
    expect((await send(formWithHeader(4_080))).status).toBe(201);
  });

  it('never turns a line of a name into a header', async () => {
    const { status, body } = await upload(ann, 'x', {
      name: 'a.png"\r\nContent-Type: text/html\r\nX: "b',
    });
    if (status === 201) expect(body.data).toMatchObject({ mimeType: 'text/plain', size: 1 });
    else expect(status).toBe(400);
  });

  it('trims the name of a file', async () => {
    const name = `  a.txt${' '.repeat(1_000)}\u00a0`;
    const { status, body } = await upload(ann, 'x', { name });
    expect([status, body.data]).toMatchObject([201, { name: 'a.txt', path: '/a.txt' }]);
  });

  it('rejects a form with the session cookie from any site', async () => {
    const signedIn = await login(ann.email);
    const cookies = (signedIn.cookies ?? []).map((cookie) => cookie.split(';')[0] ?? '');
    expect(cookies[0]).toMatch(/^__Host-session=/);
    for (const headers of [
      {},
      { origin: 'https://handbill.test', host: 'handbill.test' },
      { origin: 'https://evil.test', host: 'handbill.test' },
    ]) {
      const response = await call('POST /api/files/upload', {
        cookies,
        headers: { ...multipartType, ...headers },
        body: whole,
      });
      expect([response.status, response.body.error.code]).toEqual([403, 'FORBIDDEN']);
    }
  });
});

describe('readMultipart', () => {
  it('reads the names of parts and files as fetch encodes them', async () => {
    const sent = new FormData();
    sent.append('a"q"\r\nb', 'x');
    sent.append('file', new File(['Hello'], '"quoted" 100%.txt'));
    const encoded = new Response(sent);
    const type = encoded.headers.get('content-type') ?? '';
    const form = await readMultipart(type, Buffer.from(await encoded.arrayBuffer()));
    expect(Object.keys(form)).toEqual(['a"q"\r\nb', 'file']);
    expect(form['file']).toMatchObject({ name: '"quoted" 100%.txt' });
  });

  it('treats any field name as plain text', async () => {
    const form = await readMultipart(
      multipartType['content-type'],
      formOf({ name: '__proto__', content: 'x' }, { name: 'constructor', content: 'y' }),
    );
    expect(Object.entries(form)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
    expect(Object.getPrototypeOf(form)).not.toBe('x');
  });
});
