import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { postPublic } from '../../../shared/outbound/post-public.ts';
import { usePublicHost } from '../../support/outbound/public-host.ts';

const { host, seen, network } = usePublicHost();

const bounds = { timeoutMs: 5_000, maxBytes: 64 * 1_024, keptBytes: 1_024 };
const url = 'https://app.example.com/hook?a=1';

const post = (more: Partial<typeof bounds> = {}) =>
  postPublic(url, '{"a":"é"}', { 'webhook-id': '1' }, { ...bounds, ...more }, network);

describe('postPublic', () => {
  it('posts JSON with its length, and returns status and start of the answer', async () => {
    let got: unknown[] = [];
    host.answer = async (request, response) => {
      got = [request.method, request.headers['content-length'], await text(request)];
      response.writeHead(202).end('Thanks');
    };
    const { status, start } = await post();
    expect([status, start.toString()]).toEqual([202, 'Thanks']);
    expect(got).toEqual(['POST', '10', '{"a":"é"}']);
  });

  it.each([301, 302, 307, 308])('follows no redirect (%i)', async (code) => {
    host.answer = (_request, response) => {
      response.writeHead(code, { location: 'https://app.example.com/other' }).end();
    };
    expect((await post()).status).toBe(code);
    expect(seen.requests).toHaveLength(1);
  });

  it('reads no more than its bound of an answer that never ends, and keeps its start', async () => {
    let sent = 0;
    host.answer = (_request, response) => {
      response.writeHead(200);
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(1_024))) sent++;
        response.once('drain', write);
      };
      write();
    };
    const { status, start } = await post();
    expect([status, start.length]).toEqual([200, 1_024]);
    expect(sent).toBeLessThan(100_000);
  });

  it('keeps nothing of what is encoded', async () => {
    host.answer = (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('xxxx');
    };
    expect((await post()).start).toHaveLength(0);
  });

  it.each([
    ['nothing', () => undefined],
    [
      'a head alone',
      (response: { writeHead(status: number): { flushHeaders(): void } }) =>
        response.writeHead(200).flushHeaders(),
    ],
    [
      'a body that doesn’t end',
      (response: { write(text: string): unknown }) => response.write('a'),
    ],
  ])('gives up a host that sends %s', async (_what, begin) => {
    host.answer = (_request, response) => {
      (begin as (to: unknown) => unknown)(response);
    };
    await expect(post({ timeoutMs: 300 })).rejects.toMatchObject({ reason: 'late' });
  });
});
