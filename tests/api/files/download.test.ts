import { describe, expect, it } from 'vitest';
import { getFileType, getMimeType } from '../../../functions/api/files/uploads/media.ts';
import {
  download,
  fetchFile,
  made,
  newOwner,
  newReader,
  png,
  upload,
} from '../../support/files/files.ts';
import fc from '../../support/run/properties.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { ORIGIN, useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { usePeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-10T12:00:00Z');
useTable();
useBucket();

const { ann } = usePeople({ ann: newOwner });

const html = '<!doctype html><script>alert(document.domain)</script>';
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const xml = `<?xml version="1.0"?>${svg}`;

describe('GET /api/files/{id}/download', () => {
  it('redirects to S3 for five minutes, as an attachment with the file’s name', async () => {
    const id = await made(ann, { name: 'Photo.png' }, png);
    const { status, body, headers } = await download(ann, id);
    expect([status, body]).toEqual([
      302,
      {
        success: true,
        data: { url: headers['location'], expiresAt: new Date(Date.now() + 300_000).toISOString() },
      },
    ]);
    expect(headers['location']?.startsWith(`${process.env['AWS_ENDPOINT_URL_S3']}/`)).toBe(true);
    expect(headers['cache-control']).toBe('no-store');
    const read = await fetchFile(ann, id);
    expect([read.status, read.bytes.equals(png)]).toEqual([200, true]);
    expect(read.headers.get('content-type')).toBe('image/png');
    expect(read.headers.get('content-disposition')).toBe('attachment; filename=Photo.png');
    expect(read.headers.get('cache-control')).toBe('private, no-store');
    pass(301_000);
    expect((await fetch(headers['location'] ?? '')).status).toBe(403);
  });

  it('redirects HEAD to an address for HEAD, and returns 404 to other users', async () => {
    const id = await made(ann);
    const options = { token: ann.token, params: { id: String(id) } };
    const head = await call('HEAD /api/files/{id}/download', options);
    expect([head.status, head.body]).toEqual([302, '']);
    const url = head.headers['location'] ?? '';
    const answer = await fetch(url, { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    const shown = await fetch((await download(ann, id)).headers['location'] ?? '');
    for (const name of ['content-type', 'content-length', 'content-disposition', 'cache-control']) {
      expect(answer.headers.get(name)).toBe(shown.headers.get(name));
    }
    // S3 signs the method.
    expect((await fetch(url)).status).toBe(403);
    const stranger = await download(await newReader(), id);
    expect([stranger.status, stranger.headers['location']]).toEqual([404, undefined]);
  });

  it('supports ranges and requests from the service’s origin', async () => {
    const id = await made(ann, {}, 'Hello, world');
    const { headers } = await download(ann, id);
    const response = await fetch(headers['location'] ?? '', {
      headers: { range: 'bytes=7-11', origin: ORIGIN },
    });
    expect([response.status, await response.text()]).toEqual([206, 'world']);
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
  });

  it('signs the URL for this file only', async () => {
    const [id, other] = [await made(ann, {}, 'one'), await made(ann, {}, 'two')];
    const url = new URL((await download(ann, id)).headers['location'] ?? '');
    const otherUrl = new URL((await download(ann, other)).headers['location'] ?? '');
    otherUrl.search = url.search;
    expect((await fetch(otherUrl)).status).toBe(403);
    url.searchParams.set('response-content-type', 'text/html');
    expect((await fetch(url)).status).toBe(403);
  });

  it('displays safe types inline on request, media for an hour', async () => {
    const image = await made(ann, { name: 'a.png' }, png);
    const shown = await fetchFile(ann, image, { inline: 'true' });
    expect(shown.headers.get('content-disposition')).toBe('inline; filename=a.png');
    expect(
      (await fetchFile(ann, image, { inline: 'false' })).headers.get('content-disposition'),
    ).toBe('attachment; filename=a.png');
    const sound = await made(ann, { name: 'a.wav' }, 'RIFF\0\0\0\0WAVEfmt ');
    const { body } = await download(ann, sound, { inline: 'true' });
    expect((await fetchFile(ann, sound, { inline: 'true' })).headers.get('content-type')).toBe(
      'audio/wav',
    );
    expect(Date.parse(body.data.expiresAt) - Date.now()).toBe(3_600_000);
    expect((await download(ann, image, { inline: 'yes' })).status).toBe(400);
  });

  it.each([
    ['photo.png', html, 'text/plain', 'text/plain; charset=utf-8'],
    ['page.html', html, 'text/plain', 'text/plain; charset=utf-8'],
    ['notes.md', '# Notes', 'text/markdown', 'text/plain; charset=utf-8'],
    ['paper.pdf', '%PDF-1.7\n', 'application/pdf', 'application/pdf'],
  ])('displays %s as it is: never as a page', async (name, content, type, servedType) => {
    const { body } = await upload(ann, content, { name, type: 'image/png' });
    expect(body.data.mimeType).toBe(type);
    const read = await fetchFile(ann, body.data.id, { inline: 'true' });
    expect(read.headers.get('content-type')).toBe(servedType);
    expect(read.headers.get('content-disposition')).toMatch(/^inline;/);
    expect((await fetchFile(ann, body.data.id)).headers.get('content-type')).toBe(type);
  });

  it.each([
    ['photo.xml', '<?xml version="1.0"?><a/>', 'application/xml'],
    ['noise.png', Buffer.from([0xff, 0xfe, 0, 0]), 'application/octet-stream'],
  ])('never displays %s inline, a %.9s', async (name, content, type) => {
    const { body } = await upload(ann, content, { name, type: 'image/png' });
    expect(body.data.mimeType).toBe(type);
    expect(body.data.type).not.toBe('image');
    const read = await fetchFile(ann, body.data.id, { inline: 'true' });
    expect(read.headers.get('content-type')).toBe(type);
    expect(read.headers.get('content-disposition')).toMatch(/^attachment;/);
  });

  it.each([
    ['plain.txt', 'attachment; filename=plain.txt'],
    [
      'a "quoted" \'name\'; x=y.txt',
      `attachment; filename="a _quoted_ 'name'; x=y.txt"; filename*=utf-8''a%20%22quoted%22%20%27name%27%3B%20x%3Dy.txt`,
    ],
    [
      'Why? A:B|C*<1>.txt',
      `attachment; filename="Why_ A_B_C__1_.txt"; filename*=utf-8''Why%3F%20A%3AB%7CC%2A%3C1%3E.txt`,
    ],
    [
      'Über 日本.txt',
      'attachment; filename="Uber __.txt"; filename*=utf-8\'\'%C3%9Cber%20%E6%97%A5%E6%9C%AC.txt',
    ],
    ['100%25.txt', expect.stringContaining("filename*=utf-8''100%2525.txt")],
  ])('encodes the name %j for all browsers', async (name, expected) => {
    const id = await made(ann, { name: 'x' });
    await call('PUT /api/files/{id}', {
      token: ann.token,
      params: { id: String(id) },
      body: { name },
    });
    const header = (await fetchFile(ann, id)).headers.get('content-disposition') ?? '';
    expect(header.replace(/UTF-8/g, 'utf-8')).toEqual(expected);
  });
});

it.each([
  ['photo.png', svg],
  ['photo.svg', xml],
  ['photo.svg', Buffer.from(`\ufeff${svg}`, 'utf16le')],
])('%s that is SVG is an image and only downloaded', async (name, content) => {
  const { body } = await upload(ann, content, { name, type: 'image/png' });
  expect(body.data).toMatchObject({ type: 'image', mimeType: 'image/svg+xml' });
  for (const query of [{}, { inline: 'true' }]) {
    const read = await fetchFile(ann, body.data.id, query);
    expect(read.headers.get('content-type')).toBe('application/octet-stream');
    expect(read.headers.get('content-disposition')).toMatch(/^attachment;/);
  }
});

describe('type of a file', () => {
  const utf16 = (text: string) => Buffer.from(text, 'utf16le');
  const latin1 = (text: string) => Buffer.from(text, 'latin1');
  it.each([
    ['UTF-16 with a mark', utf16('\ufeffGrüße, 世界 😀'), 'text/plain', 'document'],
    ['UTF-16 the other way', utf16('\ufeffGrüße').swap16(), 'text/plain', 'document'],
    ['UTF-16 without a mark', utf16('Dear Ann,\r\nhello'), 'text/plain', 'document'],
    ['that the other way', utf16('Dear Ann,\r\nhello').swap16(), 'text/plain', 'document'],
    ['UTF-16 of an odd length', Buffer.from([0xff, 0xfe, 65]), 'application/octet-stream', 'other'],
    ['half a pair', utf16('\ufeffa\ud83d b'), 'application/octet-stream', 'other'],
    [
      'numbers of 16 bits',
      Buffer.from([1, 0, 2, 0, 3, 0, 4, 0]),
      'application/octet-stream',
      'other',
    ],
    ['Latin-1', latin1('Grüße aus Köln\n'), 'text/plain', 'document'],
    ['Windows-1252', Buffer.from([0x93, 72, 105, 0x94, 0x80]), 'text/plain', 'document'],
    ['Latin-1 with a control', latin1('Gr\u00fc\u0001'), 'application/octet-stream', 'other'],
    ['what Windows-1252 lacks', Buffer.from([65, 0x81, 65]), 'application/octet-stream', 'other'],
    ['SVG behind comments', Buffer.from(`<!-- a --><!-- b -->\n${svg}`), 'image/svg+xml', 'image'],
    [
      'SVG with a doctype',
      Buffer.from(`<!DOCTYPE svg [<!ENTITY a "b">]>${svg}`),
      'image/svg+xml',
      'image',
    ],
    ['SVG by a prefix', Buffer.from('<s:svg xmlns:s="x"/>'), 'image/svg+xml', 'image'],
    ['HTML with SVG in it', Buffer.from(`<p>${svg}</p>`), 'text/plain', 'document'],
    ['a word like it', Buffer.from('<svgx>'), 'text/plain', 'document'],
  ])('of %s', async (_, start, mimeType, type) => {
    expect(await getMimeType(start, 'x')).toBe(mimeType);
    expect(getFileType(mimeType)).toBe(type);
  });

  const zip = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(60)]);
  it.each([
    ['x', png, 'image/png', 'image'],
    ['x', Buffer.from('GIF89a'), 'image/gif', 'image'],
    ['x', Buffer.from('\0\0\0\u0018ftypmp42\0\0\0\0', 'latin1'), 'video/mp4', 'video'],
    ['x', Buffer.from('OggS\0\u0002'.padEnd(40, '\0'), 'latin1'), 'application/ogg', 'other'],
    ['x', zip, 'application/zip', 'archive'],
    ['x', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), 'application/gzip', 'archive'],
    ['x', Buffer.from('%PDF-1.4'), 'application/pdf', 'document'],
    ['x.csv', Buffer.from('a,b'), 'text/csv', 'document'],
    ['x.MD', Buffer.from('# Ä'), 'text/markdown', 'document'],
    ['x.json', Buffer.from('{}'), 'application/json', 'document'],
    ['x.js', Buffer.from('alert(1)'), 'text/plain', 'document'],
    ['x', Buffer.from('\u00e4'.repeat(40_000)).subarray(0, 65_535), 'text/plain', 'document'],
    ['x', Buffer.from([1, 2, 0]), 'application/octet-stream', 'other'],
    ['x', Buffer.alloc(0), 'application/octet-stream', 'other'],
  ])('%s is detected from its content (%#)', async (name, start, mimeType, type) => {
    expect(await getMimeType(start, name)).toBe(mimeType);
    expect(getFileType(mimeType)).toBe(type);
  });

  it('is detected for any content', async () => {
    const starts = [
      'PK\u0003\u0004',
      '\u001f\u008b',
      'RIFF',
      '<?xml',
      '\0\0\0\u0018ftyp',
      'ID3',
      'OggS',
      '',
    ];
    const bytes = fc
      .tuple(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 500 }))
      .map(([start, rest]) => Buffer.concat([Buffer.from(start, 'latin1'), rest]));
    await fc.assert(
      fc.asyncProperty(bytes, async (start) => {
        expect(await getMimeType(start, 'x')).toMatch(/^[\w.+-]+\/[\w.+-]+/);
      }),
      { numRuns: 200 },
    );
  });
});
