import { createHash, randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { call } from '../../../support/service/call.ts';
import { form } from '../../../support/service/form.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { tokenIn } from '../../../support/shares/shares.ts';
import { useTable } from '../../../support/table/table.ts';
import { usePeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();

const { owner } = usePeople({ owner: 'user' });
const { put: change, look, newShare } = sharesOf(owner);

const megabyte = 1024 * 1024;
const invocationBytes = 6 * megabyte;

/** Compares hashes, because diffs of megabytes are unreadable. */
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Of 16 MB, and close to 4 MB as gzip. */
const createLargest = (): string => {
  const lines = Array.from(
    { length: 16 * 1024 },
    () =>
      `${`${randomBytes(170).toString('base64')}${'<td>0</td>'.repeat(100)}`.slice(0, 1_023)}\n`,
  );
  return lines.join('');
};

const largest = createLargest();

const decoders = { br: brotliDecompressSync, gzip: gunzipSync } as const;
type Encoding = keyof typeof decoders;

const accepting = (encoding: string) => ({ headers: { 'accept-encoding': encoding } });

/** Reads what a response has as text, and checks that Lambda takes it. */
const read = async (
  endpoint: string,
  encoding: Encoding,
  options: Parameters<typeof call>[1] = {},
): Promise<string> => {
  const { status, headers, body } = await call(endpoint, { ...options, ...accepting(encoding) });
  expect([status, headers['content-encoding']]).toEqual([200, encoding]);
  expect(body.length).toBeLessThan(invocationBytes - 64 * 1024);
  return decoders[encoding](Buffer.from(body, 'base64')).toString();
};

const notAcceptable = {
  status: 406,
  body: {
    error: {
      code: 'NOT_ACCEPTABLE',
      message: 'The response is too large to be sent uncompressed. Send Accept-Encoding: gzip.',
      details: [{ field: 'accept-encoding', message: 'must allow gzip' }],
    },
  },
};

it('HTML of 16 MB is read as gzip by every route, and as Brotli', async () => {
  const encoding = 'gzip';
  const id = await newShare({ content: largest });
  const byApi = await call('GET /api/share', { query: { id }, ...accepting(encoding) });
  expect(byApi.headers['content-encoding']).toBe(encoding);
  const mine = await call('GET /api/share', {
    query: { id, mine: 'true' },
    token: owner.token,
    ...accepting(encoding),
  });
  const params = { id };
  const frame = await read('GET /{id}', encoding, { params });
  expect(
    [
      byApi.body.content,
      mine.body.content,
      await read('GET /s/{id}/raw', encoding, { params }),
      await read('GET /s/{id}/raw', 'br', { params }),
      frame.slice(frame.indexOf('</script>') + '</script>'.length),
    ].map(sha256),
  ).toEqual(Array(5).fill(sha256(largest)));
});

it('HTML of 16 MB stays as a revision, and is compared', async () => {
  const id = await newShare({ content: largest });
  expect((await change(id, { content: `${largest.slice(0, -5)}\nx` })).status).toBe(200);
  const params = { id, version: '1' };
  const options = { params, token: owner.token, ...accepting('gzip') };
  const former = await call('GET /api/share/{id}/revisions/{version}', options);
  expect(sha256(former.body.content)).toBe(sha256(largest));
  const { body } = await call('GET /api/share/{id}/revisions/{version}/diff', options);
  expect([
    body.isCut,
    body.diff.length < 20_000,
    body.diff.endsWith('+x\n\\ No newline at end of file\n'),
  ]).toEqual([false, true, true]);
  const uncompressed = { params, token: owner.token };
  expect(await call('GET /api/share/{id}/revisions/{version}', uncompressed)).toMatchObject(
    notAcceptable,
  );
});

it('a client that accepts no compression gets 406, and no view is counted', async () => {
  const id = await newShare({ content: largest, viewLimit: 1 });
  expect(await call('GET /api/share', { query: { id } })).toMatchObject(notAcceptable);
  const params = { id };
  expect((await call('POST /s/{id}/open', { params, ...form({}) })).status).toBe(406);
  expect((await look(id)).status).toBe(406);
  const mine = await call('GET /api/share', {
    query: { id, mine: 'true' },
    token: owner.token,
    ...accepting('gzip'),
  });
  expect(mine.body.views).toBe(0);
  const { headers, ...sent } = form({});
  const opened = await call('POST /s/{id}/open', {
    params,
    ...sent,
    headers: { ...headers, 'accept-encoding': 'gzip' },
  });
  const query = { view: tokenIn(opened) ?? '' };
  expect(sha256(await read('GET /s/{id}/raw', 'gzip', { params, query }))).toBe(sha256(largest));
  expect((await call('GET /s/{id}/raw', { params, query })).status).toBe(406);
  expect((await call('GET /{id}', { params, query })).status).toBe(406);
});

it('what Brotli makes too large for a response is sent as gzip', async () => {
  const controls = randomBytes(6.7 * megabyte).map((byte) => byte % 8);
  const content = Buffer.from(controls).toString('latin1');
  const id = await newShare({ content });
  const { headers, body } = await call('GET /api/share', {
    query: { id },
    ...accepting('br, gzip'),
  });
  expect(headers['content-encoding']).toBe('gzip');
  expect(sha256(body.content)).toBe(sha256(content));
});
