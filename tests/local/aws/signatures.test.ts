import { createHash } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startDynamoDb } from '../../../infra/local/aws/dynamodb/engine.ts';
import { createSigner, ownCredentials } from '../../../infra/local/aws/host/signature.ts';

afterEach(() => void vi.useRealTimers());

const service = 'dynamodb';
const target = 'DynamoDB_20120810.ListTables';

describe('a request to DynamoDB', () => {
  let endpoint: string;
  beforeAll(async () => {
    const engine = await startDynamoDb({});
    ({ endpoint } = engine);
    return () => engine.close();
  });

  interface Call {
    readonly service?: string;
    readonly region?: string;
    readonly headers?: Record<string, string>;
    readonly body?: string;
  }
  const sign = async (call: Call = {}): Promise<Record<string, string>> => {
    const { body = '{}', region = 'us-east-1' } = call;
    const signed = await createSigner(call.service ?? service, ownCredentials()).sign(
      {
        method: 'POST',
        protocol: 'http:',
        hostname: '',
        path: '/',
        headers: {
          host: new URL(endpoint).host,
          'content-type': 'application/x-amz-json-1.0',
          'x-amz-target': target,
          ...call.headers,
        },
        body,
      },
      { signingRegion: region },
    );
    const { host: _, ...headers } = signed.headers;
    return headers;
  };
  const send = async (headers: Record<string, string>, body = '{}') => {
    const response = await fetch(endpoint, { method: 'POST', headers, body });
    const { __type = '' } = (await response.json()) as { readonly __type?: string };
    return [response.status, __type.split('#')[1] ?? ''];
  };
  const refused = [403, 'InvalidSignatureException'];
  const hashOf = (body: string) => createHash('sha256').update(body).digest('hex');

  it('may be of any region, with or without the hash of its body', async () => {
    expect(await send(await sign({ region: 'eu-west-1' }))).toEqual([200, '']);
    const headers = { 'x-amz-content-sha256': hashOf('{}') };
    expect(await send(await sign({ headers }))).toEqual([200, '']);
  });

  it('is rejected with another body', async () => {
    expect(await send(await sign(), '{"Limit":1}')).toEqual(refused);
    const headers = { 'x-amz-content-sha256': hashOf('{}') };
    expect(await send(await sign({ headers }), '{"Limit":1}')).toEqual(refused);
    const unsigned = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
    expect(await send(await sign({ headers: unsigned }))).toEqual(refused);
  });

  it('is rejected with another operation or an unsigned header', async () => {
    const signed = await sign();
    const other = target.replace(/\.\w+$/, '.CreateTable');
    expect(await send({ ...signed, 'x-amz-target': other })).toEqual(refused);
    expect(await send({ ...signed, 'x-amz-added': '1' })).toEqual(refused);
  });

  it.each([-16, 16])('is rejected if its time differs by %i minutes', async (minutes) => {
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: now + minutes * 60_000 });
    const signed = await sign();
    vi.setSystemTime(now);
    expect(await send(signed)).toEqual(refused);
  });

  it.each([-14, 14])('is accepted if its time differs by %i minutes', async (minutes) => {
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: now + minutes * 60_000 });
    const signed = await sign();
    vi.setSystemTime(now);
    expect(await send(signed)).toEqual([200, '']);
  });

  it('is rejected if unsigned or signed for another service', async () => {
    expect(await send(await sign({ service: 's3' }))).toEqual([
      403,
      'IncompleteSignatureException',
    ]);
    const { authorization: _, ...unsigned } = await sign();
    expect(await send(unsigned)).toEqual([403, 'MissingAuthenticationTokenException']);
    expect(await send({ ...unsigned, authorization: 'Bearer x' })).toEqual([
      403,
      'IncompleteSignatureException',
    ]);
  });

  it('is rejected unread without a signature', async () => {
    const { authorization: _, ...unsigned } = await sign();
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: unsigned,
      body: 'x'.repeat(100_000),
    });
    onTestFinished(() => void response.body?.cancel());
    expect([response.status, response.headers.get('connection')]).toEqual([403, 'close']);
  });
});
