import { afterEach, describe, expect, it, vi } from 'vitest';
import { handler as fallback } from '../../../functions/web/fallback/index.ts';
import { lambdaContext } from '../../../infra/local/lambda-context.ts';
import { countEdgeSeconds, edgeHeaders } from '../../../shared/http/edge.ts';
import type { Event } from '../../../shared/http/http.ts';
import {
  acceptOnly,
  edgeSecret,
  toHashes,
  useEdgeSecret,
  withoutEdge,
} from '../../support/edge/edge-secret.ts';
import { type Got, usePages } from '../../support/pages/served-pages.ts';
import { call } from '../../support/service/call.ts';
import { useMeter } from '../../support/table/meter.ts';
import { useTable } from '../../support/table/table.ts';
import { login, newPerson, password } from '../../support/users/test-users.ts';

useTable();
const { service, snippets } = usePages();

const vouched = (more: Record<string, string> = {}) => ({
  [edgeHeaders.secret]: edgeSecret,
  [edgeHeaders.address]: '198.51.100.7',
  [edgeHeaders.host]: 'share.example.com',
  ...more,
});

describe('a service behind a CDN', () => {
  const meter = useMeter();

  useEdgeSecret();
  afterEach(() => {
    process.env['RATE_LIMIT_FACTOR'] = '1000';
  });

  it.each([
    ['without a secret', {}],
    ['with an empty one', { [edgeHeaders.secret]: '' }],
    ['with a wrong one', { [edgeHeaders.secret]: `${edgeSecret}.` }],
    ['with the hash of the right one', { [edgeHeaders.secret]: toHashes(edgeSecret) }],
  ])('refuses requests %s before it looks at anything else', async (_, headers) => {
    const answers: Got[] = [];
    const { requests } = await meter.measure(async () => {
      answers.push(
        await service('/api/users/me', { ...headers, authorization: 'Bearer not-a-token' }),
        await service('/api/auth/login', headers, 'POST'),
        await service('/s/nothing', headers),
        await service('/assets/styles/nothing', headers, 'HEAD'),
        await service('/no/such/route', headers),
        await snippets('/nothing', headers),
      );
    });
    expect(requests).toEqual({ table: 0, bucket: 0, queue: 0 });
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(403));
    expect(JSON.parse(answers[0]?.text ?? '').error).toMatchObject({
      code: 'FORBIDDEN',
      message: 'Use the public address of this service.',
    });
  });

  it('refuses them also for unknown routes', async () => {
    process.env['API_HOST'] = 'service';
    const ask = (headers: Record<string, string>) =>
      fallback(
        {
          rawPath: '/nothing',
          headers,
          requestContext: { requestId: 'request-1', http: { method: 'GET' } },
        } as unknown as Event,
        lambdaContext('request-1', Date.now() + 5_000),
      );
    expect((await ask({})).statusCode).toBe(403);
    expect((await ask(vouched())).statusCode).toBe(404);
  });

  it('accepts each of its secrets while they are exchanged', async () => {
    const next = 'the next secret of the CDN of the tests';
    const statusWith = async (secret: string) =>
      (await service('/api/health', vouched({ [edgeHeaders.secret]: secret }))).status;
    acceptOnly(edgeSecret, next);
    expect([await statusWith(edgeSecret), await statusWith(next)]).toEqual([200, 200]);
    acceptOnly(next);
    expect([await statusWith(edgeSecret), await statusWith(next)]).toEqual([403, 200]);
  });

  it('counts the address that the CDN vouches for, and none that a client claims', async () => {
    process.env['RATE_LIMIT_FACTOR'] = '1';
    // No token comes back meanwhile.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const convert = (viewer: string, claimed: string) =>
      call('POST /api/markdown', {
        body: { markdown: 'Hi' },
        address: '203.0.113.1',
        headers: vouched({
          [edgeHeaders.address]: viewer,
          'x-forwarded-for': claimed,
          'cloudfront-viewer-address': `${claimed}:443`,
        }),
      });
    const remaining = async (viewer: string, claimed: string) =>
      (await convert(viewer, claimed)).headers['ratelimit']?.match(/r=(\d+)/)?.[1];
    expect(await remaining('198.51.100.20', '192.0.2.50')).toBe('29');
    expect(await remaining('198.51.100.20', '192.0.2.51')).toBe('28');
    expect(await remaining('198.51.100.21', '192.0.2.50')).toBe('29');
    expect(await remaining('2001:db8::1', '192.0.2.50')).toBe('29');
    expect(await remaining('2001:db8::2', '192.0.2.50')).toBe('28');
    vi.useRealTimers();
  });

  it('compares the origin of a request with the host that the viewer used', async () => {
    const { email } = await withoutEdge(() => newPerson());
    const signIn = (origin: string) =>
      call('POST /api/auth/login', {
        body: { email, password },
        headers: vouched({ origin, host: 'abc.execute-api.eu-west-1.amazonaws.com' }),
      });
    expect((await signIn('https://share.example.com')).cookies).toHaveLength(1);
    expect((await signIn('https://other.example.com')).cookies).toEqual([]);
    const [cookie = ''] = (await signIn('https://share.example.com')).cookies ?? [];
    const rename = async (origin: string) =>
      (
        await call('PUT /api/users/me', {
          body: { name: 'Ann' },
          cookies: [cookie.split(';')[0] ?? ''],
          headers: vouched({ origin, 'content-type': 'application/json' }),
        })
      ).status;
    expect(await rename('https://share.example.com')).toBe(200);
    expect(await rename('https://other.example.com')).toBe(403);
  });
});

describe('a service without a CDN', () => {
  it('believes none of these headers', async () => {
    process.env['RATE_LIMIT_FACTOR'] = '1';
    const remaining = async (viewer: string) =>
      (
        await call('POST /api/markdown', {
          body: { markdown: 'Hi' },
          address: '203.0.113.77',
          headers: vouched({ [edgeHeaders.address]: viewer }),
        })
      ).headers['ratelimit']?.match(/r=(\d+)/)?.[1];
    expect([await remaining('198.51.100.30'), await remaining('198.51.100.31')]).toEqual([
      '29',
      '28',
    ]);
    process.env['RATE_LIMIT_FACTOR'] = '1000';
    const { email } = await newPerson();
    expect((await login(email)).status).toBe(200);
  });
});

describe('countEdgeSeconds', () => {
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

  it.each([
    [undefined, 5],
    [60_000, 5],
    [3_900, 3],
    [900, 0],
    [-5_000, 0],
  ])('returns for what expires in %s ms: %s', (ms, seconds) => {
    expect(countEdgeSeconds(ms === undefined ? undefined : inMs(ms))).toBe(seconds);
  });
});
