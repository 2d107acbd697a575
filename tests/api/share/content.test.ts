import { createHash, randomBytes } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { forgetTexts } from '../../../functions/api/share/reading/text-memory.ts';
import { frameScript } from '../../../functions/web/snippet/frame-script.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useStoppableBucket } from '../../support/s3/stopped-s3.ts';
import { call } from '../../support/service/call.ts';
import { runMinute } from '../../support/service/jobs.ts';
import { textObjects } from '../../support/shares/objects.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { frame, open, page, raw, tokenIn, view } from '../../support/shares/shares.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { signInAgain, usePeople } from '../../support/users/use-people.ts';

const kilobyte = 1_024;
const megabyte = 1_024 * kilobyte;
const hour = 3_600_000;

useVirtualTime('2026-11-21T12:00:00Z');
useTable();

const { withoutS3 } = useStoppableBucket();

const { owner } = usePeople({ owner: 'user' });
const { create, put: change, remove, look, newShare } = sharesOf(owner);

/** Compares hashes, because diffs of megabytes are unreadable. */
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns the document of the frame without the frame script. */
const framed = async (id: string, content: string): Promise<string> =>
  (await frame(id)).body.replace(`<script>${frameScript(`/s/${id}`, content)}</script>`, '');

const placeOf = async (id: string): Promise<string | undefined> => {
  const [item] = await itemsOf(`SHARE#${id}`);
  return (item?.['texts'] as { readonly place: string } | undefined)?.place;
};
const objectsOf = async (id: string): Promise<string[]> =>
  (await textObjects()).filter((key) => key.includes(id));

/** Repeats a text up to this many bytes of UTF-8. */
const repeated = (text: string, bytes: number): string => {
  const length = Buffer.byteLength(text);
  const times = Math.floor(bytes / length);
  return text.repeat(times) + 'x'.repeat(bytes - times * length);
};
const random = (bytes: number): string => randomBytes(bytes).toString('base64').slice(0, bytes);
/** Byte order mark, NUL, both line endings, joined emoji, combining marks, both normal forms. */
const strange =
  '\ufeff\0<p>\r\n\r👩‍👩‍👧‍👦 e\u0301 é Å \u{10ffff} \uffff ﷽ עברית \u2028\u2029</p>\n';

const makers = {
  text: (bytes: number) => repeated('<p>The quick brown fox.</p>\n', bytes),
  'random text': random,
  Unicode: (bytes: number) => repeated(strange, bytes),
} as const;
/** Of each place where a content is stored, and the largest ones. */
const cases: readonly (readonly [size: string, kind: keyof typeof makers, bytes: number])[] = [
  ['1 byte', 'random text', 1],
  ['1 KB', 'random text', kilobyte],
  ['12 KB', 'random text', 12 * kilobyte],
  ['17 KB', 'random text', 17 * kilobyte],
  ['4.2 MB', 'random text', 4.2 * megabyte],
  ['4.2 MB', 'text', 4.2 * megabyte],
  ['1 KB', 'Unicode', kilobyte],
  ['3 MB', 'Unicode', 3 * megabyte],
];

describe('content', () => {
  it.each(cases)('of %s of %s is served unchanged by every route', async (_, kind, bytes) => {
    const content = makers[kind](bytes);
    const id = await newShare({ content });
    const { body } = await view(id);
    const served = [
      body.content,
      (await raw(id)).body,
      await framed(id, content),
      (await look(id)).body.content,
    ];
    expect(served.map(sha256)).toEqual(Array(4).fill(sha256(content)));
  });

  it('is stored in the record up to 512 bytes compressed, in the table below 12 KB, otherwise in the bucket', async () => {
    const places = [];
    for (const content of [
      'x'.repeat(megabyte),
      random(kilobyte),
      random(12 * kilobyte),
      random(17 * kilobyte),
    ]) {
      const id = await newShare({ content });
      places.push([await placeOf(id), (await objectsOf(id)).length]);
    }
    expect(places).toEqual([
      ['record', 0],
      ['table', 0],
      ['table', 0],
      ['bucket', 1],
    ]);
  });

  it('is sent compressed if the client accepts it', async () => {
    const content = random(100 * kilobyte);
    const id = await newShare({ content });
    const { headers, body } = await call('GET /s/{id}/raw', {
      params: { id },
      headers: { 'accept-encoding': 'gzip, br' },
    });
    expect(headers['content-encoding']).toBe('br');
    expect(sha256(brotliDecompressSync(Buffer.from(body, 'base64')).toString())).toBe(
      sha256(content),
    );
  });

  it('of Markdown is stored unchanged and rendered, up to 512 KB', async () => {
    const content = repeated('# Title\n\nThe *quick* brown fox. 👩‍👩‍👧‍👦\r\n\n', 12 * kilobyte);
    const most = `${random(512 * kilobyte - 1)}\n`.replaceAll(
      /.{500}/g,
      (line) => `${line.slice(0, -2)}\n\n`,
    );
    for (const [source, place] of [
      [content, 'table'],
      [most, 'bucket'],
    ] as const) {
      const id = await newShare({ content: source, language: 'markdown' });
      const { body } = await view(id);
      expect([body.content, (await raw(id)).body].map(sha256)).toEqual(
        Array(2).fill(sha256(source)),
      );
      const words = (text: string) => text.split(/\W+/).length;
      expect(words(body.html)).toBeGreaterThan(words(source) / 2);
      expect(await placeOf(id)).toBe(place);
      expect(await objectsOf(id)).toHaveLength(place === 'table' ? 0 : 1);
    }
  });

  it.each([
    ['markdown', 'x'.repeat(512 * kilobyte + 1)],
    ['markdown', `${'é'.repeat(256 * kilobyte)}x`],
  ])('of %s returns 413 if it is a byte too long', async (language, content) => {
    expect(await create({ language, content })).toMatchObject({
      status: 413,
      body: { error: { code: 'PAYLOAD_TOO_LARGE', details: [{ field: 'content' }] } },
    });
  });

  it.each([
    ['16 MB of text', '16 MB of text', 'x'.repeat(16 * megabyte + 1)],
    ['16 MB of text in UTF-8', '16 MB of text', `${'é'.repeat(8 * megabyte)}x`],
    ['4 MB of gzip', '4 MB of gzip', random(5.5 * megabyte)],
  ])(
    'of more than %s of HTML returns 413 with both limits and the way',
    async (_, most, content) => {
      const limits = '16 MB of text and 4 MB of gzip';
      const { status, body } = await create({ content });
      expect([status, body.error]).toMatchObject([
        413,
        {
          code: 'PAYLOAD_TOO_LARGE',
          message: `The HTML has more than ${most}. It can have ${limits}. Move images, styles, scripts and data to files of the share: POST /api/share/uploads.`,
          details: [
            {
              field: 'content',
              message: `must be at most ${limits}; move images, styles, scripts and data to files of the share`,
            },
          ],
        },
      ]);
    },
  );

  it('that no response can have as JSON returns 413', async () => {
    const controls = randomBytes(8 * megabyte).map((byte) => byte % 8);
    const content = Buffer.from(controls).toString('latin1');
    expect(await create({ content })).toMatchObject({
      status: 413,
      body: {
        error: {
          message:
            'The content is too large as JSON. Shorten it, or use fewer quotes and control characters.',
          details: [{ field: 'content' }],
        },
      },
    });
  });

  it.each(['\ud800', 'a\udc00b', '\udc00\ud800'])(
    'returns 400 for lone surrogates: %j',
    async (text) => {
      for (const field of ['content', 'title', 'description']) {
        const { status, body } = await create({ content: 'x', [field]: text });
        expect([field, status, body.error.details]).toEqual([
          field,
          400,
          [{ field, message: 'must be well-formed Unicode' }],
        ]);
      }
    },
  );
});

describe('while the bucket is unavailable', () => {
  const large = () => random(50 * kilobyte);
  const busy = { status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } };

  it('creates no large share and leaves nothing of it after an hour', async () => {
    const before = await textObjects();
    const listed = async () =>
      (await call('GET /api/share', { query: { mine: 'true' }, token: owner.token })).body.total;
    const total = await listed();
    const response = await withoutS3(() => create({ content: large() }));
    expect(response).toMatchObject(busy);
    expect(response.headers['retry-after']).toBe('1');
    expect(await listed()).toBe(total);
    expect(await itemsOf('DELETIONS')).toHaveLength(1);
    pass(hour + 1);
    await runMinute();
    expect(await itemsOf('DELETIONS')).toEqual([]);
    expect(await textObjects()).toEqual(before);
    await signInAgain(owner);
  });

  it('shows a consumed view once the bucket is available', async () => {
    const id = await newShare({ content: large(), language: 'markdown', viewLimit: 1 });
    const token = tokenIn(await open(id));
    // The page may be the work of another process.
    forgetTexts(id);
    await withoutS3(async () => {
      const away = await page(id, token);
      expect([away.status, away.headers['content-type']]).toEqual([
        503,
        'text/html; charset=utf-8',
      ]);
      expect((await raw(id, token)).status).toBe(503);
    });
    expect((await page(id, token)).status).toBe(200);
  });

  it('rejects large new content and keeps the previous one', async () => {
    const contents = ['small', large()];
    for (const content of contents) {
      const id = await newShare({ content, title: 'Former' });
      const response = await withoutS3(() => change(id, { content: large(), title: 'Next' }));
      expect(response).toMatchObject(busy);
      const { body } = await look(id);
      expect([sha256(body.content), body.title, body.version]).toEqual([
        sha256(content),
        'Former',
        1,
      ]);
    }
  });

  it('updates all other fields of a large share', async () => {
    const id = await newShare({ content: large() });
    const response = await withoutS3(() => change(id, { title: 'Next', viewLimit: 5 }));
    expect(response).toMatchObject({ status: 200, body: { title: 'Next', viewLimit: 5 } });
  });

  it('deletes a large share, and its object once the bucket is available', async () => {
    const id = await newShare({ content: large() });
    const [object] = await objectsOf(id);
    await withoutS3(async () => {
      expect((await remove(id)).status).toBe(200);
      expect([(await view(id)).status, (await page(id)).status]).toEqual([404, 404]);
      pass(60_000);
      await runMinute();
    });
    expect(await objectsOf(id)).toHaveLength(1);
    await runMinute();
    expect(await objectsOf(id)).toEqual([]);
    expect((await itemsOf('DELETIONS')).map(({ key }) => key)).not.toContain(object);
  });

  it('deletes the previous object in the next scheduled run', async () => {
    const id = await newShare({ content: large() });
    const [former] = await objectsOf(id);
    await change(id, { content: large() });
    // The new one, and the former as a revision.
    expect(await objectsOf(id)).toHaveLength(3);
    pass(60_000);
    await runMinute();
    const left = await objectsOf(id);
    expect(left).toHaveLength(2);
    expect(left).not.toContain(former);
  });
});
