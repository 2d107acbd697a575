import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { fetchPublic } from '../../../shared/outbound/fetch-public.ts';
import { internet } from '../../../shared/outbound/network.ts';
import { useNameServer } from '../../support/outbound/name-server.ts';
import { publicAddress, usePublicHost } from '../../support/outbound/public-host.ts';

const server = useNameServer();
const { seen, network } = usePublicHost();

const long = '2606:2800:0220:0001:0248:1893:25c8:1946';
const { signal } = new AbortController();

describe('internet.resolve', () => {
  it('returns the addresses of both families', async () => {
    server.answers = [
      [publicAddress, '8.8.8.8', long],
      [publicAddress, '8.8.8.8', long],
    ];
    expect(await internet.resolve('app.example.com', signal)).toEqual([
      publicAddress,
      '8.8.8.8',
      '2606:2800:220:1:248:1893:25c8:1946',
    ]);
  });

  it('returns those of one family', async () => {
    server.answers = [[publicAddress], [publicAddress]];
    expect(await internet.resolve('app.example.com', signal)).toEqual([publicAddress]);
  });

  it('returns none of a name that does not exist', async () => {
    server.answers = [[], []];
    expect(await internet.resolve('app.example.com', signal)).toEqual([]);
  });

  it('ends with its signal', async () => {
    server.answers = [];
    const asked = server.questions;
    const controller = new AbortController();
    const resolved = internet.resolve('silent.example.com', controller.signal);
    await vi.waitFor(() => expect(server.questions).toBeGreaterThan(asked), { interval: 5 });
    controller.abort();
    expect(await resolved).toEqual([]);
  });
});

describe('internet.connect', () => {
  it('connects to the port 443 of the addresses it is given, whatever names stand for', async () => {
    const [error] = await once(internet.connect(['127.0.0.1']), 'error').catch((reason) => [
      reason,
    ]);
    expect(error).toMatchObject({ address: '127.0.0.1', port: 443 });
  });
});

describe('a name whose address changes between the check and the connection', () => {
  const bounds = { maxBytes: 1_000, timeoutMs: 5_000, accept: ['application/json'] };
  const get = () =>
    fetchPublic('https://app.example.com/a', bounds, { ...network, resolve: internet.resolve });

  it('is connected to at the address that was checked', async () => {
    server.answers = [[publicAddress], [publicAddress], ['127.0.0.1'], ['127.0.0.1']];
    await get();
    expect(seen.addresses).toEqual([publicAddress]);
    await expect(get()).rejects.toMatchObject({ reason: 'not-public' });
    expect(seen.addresses).toEqual([publicAddress]);
  });

  it('is refused if one family is public and the other is not', async () => {
    const mapped = '0000:0000:0000:0000:0000:ffff:7f00:0001';
    server.answers = [
      [publicAddress, mapped],
      [publicAddress, mapped],
    ];
    await expect(get()).rejects.toMatchObject({ reason: 'not-public' });
    expect(seen.addresses).toEqual([]);
  });
});
