import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fetchPublic } from '../../../shared/outbound/fetch-public.ts';
import { OutboundError } from '../../../shared/outbound/outbound-error.ts';
import { publicAddress, usePublicHost } from '../../support/outbound/public-host.ts';

const { host, seen, network } = usePublicHost();

const bounds = { maxBytes: 1_000, timeoutMs: 5_000, accept: ['application/json'] };
const address = 'https://app.example.com/client.json?v=1';

const get = (from = address, more = {}) => fetchPublic(from, bounds, { ...network, ...more });

/** Returns why an address is not fetched. */
const refusalOf = async (request: Promise<unknown>): Promise<string> => {
  const error = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OutboundError)) throw error ?? new Error('It was fetched');
  return error.reason;
};

const json = { 'content-type': 'application/json' };

afterEach(() => {
  vi.useRealTimers();
});

describe('fetchPublic', () => {
  it('returns what a public host answers, and asks for no more than it names', async () => {
    let headers: unknown;
    host.answer = (request, response) => {
      headers = request.headers;
      response.setHeader('content-type', 'Application/JSON; charset=utf-8').end('{"a":1}');
    };
    const { body, mediaType } = await get();
    expect([body.toString(), mediaType]).toEqual(['{"a":1}', 'application/json']);
    expect(seen).toEqual({
      names: ['app.example.com'],
      addresses: [publicAddress],
      requests: ['app.example.com/client.json?v=1'],
    });
    expect(headers).toEqual({
      host: 'app.example.com',
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'Handbill',
      connection: 'close',
    });
  });

  it('connects to an address without resolving it, and checks its certificate', async () => {
    for (const literal of [publicAddress, '[2606:2800:220:1:248:1893:25c8:1946]']) {
      await get(`https://${literal}/a`);
    }
    expect(seen.names).toEqual([]);
    expect(seen.requests).toHaveLength(2);
    expect(await refusalOf(get('https://93.184.215.15/a'))).toBe('insecure');
  });

  it.each([
    [['127.0.0.1']],
    [['169.254.169.254']],
    [['::ffff:10.0.0.1']],
    [['fd00:ec2::254']],
    [[publicAddress, '10.0.0.1']],
    [['10.0.0.1', publicAddress]],
    [[publicAddress, '::1']],
    [['no address']],
  ])('refuses a name that resolves to %j, and connects to none of it', async (addresses) => {
    host.addresses = [addresses];
    expect(await refusalOf(get())).toBe('not-public');
    expect(seen.addresses).toEqual([]);
  });

  it('resolves a name once, so that a second answer of its name server changes nothing', async () => {
    host.addresses = [[publicAddress], ['127.0.0.1']];
    await get();
    expect(seen).toMatchObject({ names: ['app.example.com'], addresses: [publicAddress] });
    expect(await refusalOf(get())).toBe('not-public');
    expect(seen.addresses).toEqual([publicAddress]);
  });

  it('tries six addresses at most', async () => {
    host.addresses = [Array.from({ length: 50 }, (_, at) => `8.8.8.${at}`)];
    await get();
    expect(seen.addresses).toHaveLength(6);
  });

  it('refuses a name without address', async () => {
    host.addresses = [[]];
    expect(await refusalOf(get())).toBe('unknown-host');
  });

  it('refuses a certificate of another host or of an unknown authority', async () => {
    expect(await refusalOf(get('https://other.example.com/'))).toBe('insecure');
    expect(await refusalOf(get('https://a.b.clients.example.com/'))).toBe('insecure');
    const { ca: _, ...strict } = network;
    expect(await refusalOf(fetchPublic(address, bounds, strict))).toBe('insecure');
    expect(seen.requests).toEqual([]);
  });

  it.each([301, 302, 303, 304, 307, 308])('follows no redirect (%i)', async (status) => {
    host.answer = (_request, response) => {
      response.writeHead(status, { location: 'https://app.example.com/other' }).end();
    };
    expect(await refusalOf(get())).toBe('redirect');
    expect(seen.requests).toHaveLength(1);
  });

  it.each([
    [201, 'status'],
    [204, 'status'],
    [206, 'status'],
    [401, 'status'],
    [404, 'status'],
    [429, 'failing'],
    [500, 'failing'],
    [503, 'failing'],
  ])('refuses the status %i as %s', async (status, reason) => {
    host.answer = (_request, response) => {
      response.writeHead(status, json).end();
    };
    expect(await refusalOf(get())).toBe(reason);
  });

  it.each(['text/html', 'text/plain', 'application/jsonp', 'application/json+x', ''])(
    'refuses the content type %j',
    async (type) => {
      host.answer = (_request, response) => {
        response.setHeader('content-type', type).end('{}');
      };
      expect(await refusalOf(get())).toBe('type');
    },
  );

  it('takes a body up to its maximum, whole and in pieces', async () => {
    for (const withLength of [true, false]) {
      host.answer = (_request, response) => {
        response.writeHead(200, { ...json, ...(withLength && { 'content-length': 1_000 }) });
        response.write('a'.repeat(500));
        response.end('a'.repeat(500));
      };
      expect((await get()).body).toHaveLength(1_000);
    }
  });

  it('refuses a body that says or shows that it is too large, and reads no more of it', async () => {
    host.answer = (_request, response) => {
      response.writeHead(200, { ...json, 'content-length': 1_001 });
      response.flushHeaders();
    };
    expect(await refusalOf(get())).toBe('size');
    host.answer = (_request, response) => {
      response.writeHead(200, json);
      const send = () => {
        while (response.write('a'.repeat(1_000)));
      };
      response.on('drain', send);
      send();
    };
    expect(await refusalOf(get())).toBe('size');
  });

  it('unpacks what a host has only packed', async () => {
    host.answer = (_request, response) => {
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}'));
    };
    expect((await get()).body.toString()).toBe('{"a":1}');
  });

  it('refuses a small body that is large once unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(500_000));
    expect(bomb.length).toBeLessThan(1_000);
    host.answer = (_request, response) => {
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb);
    };
    expect(await refusalOf(get())).toBe('size');
  });

  it.each(['br', 'deflate', 'zstd', 'gzip, gzip', 'x'])(
    'refuses the encoding %s',
    async (coding) => {
      host.answer = (_request, response) => {
        response.writeHead(200, { ...json, 'content-encoding': coding }).end('{}');
      };
      expect(await refusalOf(get())).toBe('type');
    },
  );

  it('refuses packed bytes that are none', async () => {
    host.answer = (_request, response) => {
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end('{}');
    };
    expect(await refusalOf(get())).toBe('silent');
  });

  it.each<[string, string]>([
    ['that is no HTTP', 'hello\r\n\r\n'],
    ['that ends amid its head', 'HTTP/1.1 200 OK\r\n'],
    [
      'that ends amid its body',
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5\r\n\r\n{}',
    ],
    ['with an endless head', `HTTP/1.1 200 OK\r\n${`a: ${'b'.repeat(1_000)}\r\n`.repeat(40)}\r\n`],
    [
      'that changes the protocol',
      'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    ],
    ['that is empty', ''],
  ])('refuses an answer %s', async (_, bytes) => {
    host.answer = (request) => {
      request.socket.end(bytes);
    };
    expect(await refusalOf(get())).toBe('silent');
  });

  it('refuses a host that does not take the connection', async () => {
    const { connect } = await import('node:net');
    // The port 1 of this machine is closed.
    expect(await refusalOf(get(address, { connect: () => connect(1, '127.0.0.1') }))).toBe(
      'silent',
    );
  });

  describe('with a clock that a test moves', () => {
    /** Lets the time of a request pass once the work before has come to rest. */
    const passOnce = async (isReady: () => boolean) => {
      await vi.waitFor(() => expect(isReady()).toBe(true), { interval: 5 });
      vi.advanceTimersByTime(6_000);
      // The deadline lets what has arrived be read first.
      await vi.advanceTimersByTimeAsync(1);
    };

    it('ends a body that drips', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      let isOpen = false;
      host.answer = (_request, response) => {
        response.writeHead(200, json).write('{');
        isOpen = true;
        response.on('close', () => {
          isOpen = false;
        });
      };
      const refusal = refusalOf(get());
      await passOnce(() => isOpen);
      expect(await refusal).toBe('late');
    });

    it('ends a host that says nothing', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      host.answer = () => undefined;
      const refusal = refusalOf(get());
      await passOnce(() => seen.requests.length > 0);
      expect(await refusal).toBe('late');
    });

    it('ends a name server that says nothing', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      let isAsked = false;
      const resolve = (_name: string, signal: AbortSignal) => {
        isAsked = true;
        return new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      };
      const refusal = refusalOf(get(address, { resolve }));
      await passOnce(() => isAsked);
      expect(await refusal).toBe('late');
      expect(seen.addresses).toEqual([]);
    });
  });

  it('says which refusals may pass, and names nothing but what an outsider sees', async () => {
    host.addresses = [['10.1.2.3'], []];
    const errors = [await get().catch(String), await get().catch(String)];
    expect(errors).toEqual([
      'OutboundError: must have a host on the public internet',
      'OutboundError: has a host without address',
    ]);
    const isOutage = async () => (await get().catch((error: unknown) => error)) as OutboundError;
    host.addresses = [['10.1.2.3'], []];
    expect([(await isOutage()).isOutage, (await isOutage()).isOutage]).toEqual([false, true]);
  });
});
