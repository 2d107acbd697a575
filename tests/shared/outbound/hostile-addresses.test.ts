// What someone might name to reach a host near the service, at the door that posts. None of it is resolved or connected to.
import { describe, expect, it } from 'vitest';
import { OutboundError } from '../../../shared/outbound/outbound-error.ts';
import { postPublic } from '../../../shared/outbound/post-public.ts';
import { publicAddress, usePublicHost } from '../../support/outbound/public-host.ts';

const { host, seen, network } = usePublicHost();

const bounds = { timeoutMs: 5_000, maxBytes: 64 * 1_024, keptBytes: 1_024 };

const post = (url: string) => postPublic(url, '{}', {}, bounds, network);

/** Returns why an address is not asked. */
const refusalOf = async (url: string): Promise<string> => {
  const error = await post(url).then(
    ({ status }) => new Error(`It answered with ${status}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof OutboundError)) throw error;
  return error.reason;
};

const nearby = [
  'https://127.0.0.1/',
  'https://127.1/',
  'https://127.255.255.254/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://0/',
  'https://0.0.0.0/',
  'https://10.0.0.1/',
  'https://10.255.255.255/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://169.254.170.2/v2/credentials',
  'https://0xa9fea9fe/',
  'https://2852039166/',
  'https://100.64.0.1/',
  'https://100.100.100.200/latest/meta-data/',
  'https://192.0.0.192/opc/v1/instance/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://198.51.100.1/',
  'https://203.0.113.1/',
  'https://192.88.99.1/',
  'https://224.0.0.1/',
  'https://239.255.255.255/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:169.254.169.254]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b:1::a9fe:a9fe]/',
  'https://[2002:7f00:1::]/',
  'https://[2001::1]/',
  'https://[2001:db8::1]/',
  'https://[3fff::1]/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[ff02::1]/',
  'https://[100::1]/',
  'https://localhost/',
  'https://LOCALHOST/',
  'https://localhost./',
  'https://a.localhost/',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://ip-10-0-0-1.ec2.internal/',
  'https://db/',
  'https://router.lan.test/',
  'https://1.0.0.127.in-addr.arpa/',
  'https://service.onion/',
  'https://①②⑦.⓪.⓪.①/',
  'https://127。0。0。1/',
  'https://ｌｏｃａｌｈｏｓｔ/',
];

const otherwise = [
  'http://app.example.com/',
  'ftp://app.example.com/',
  'file:///etc/passwd',
  'gopher://app.example.com/',
  'javascript:alert(1)',
  'https://app.example.com:80/',
  'https://app.example.com:22/',
  'https://app.example.com:8443/',
  'https://ann@app.example.com/',
  'https://app.example.com@127.0.0.1/',
  'https://127.0.0.1#@app.example.com/',
  'https://app.example.com/#a',
  'https://',
  '//app.example.com/',
  '',
];

const resolved = [
  '127.0.0.1',
  '10.0.0.1',
  '169.254.169.254',
  '192.168.0.1',
  '100.64.0.1',
  '0.0.0.0',
  '::1',
  '::ffff:127.0.0.1',
  'fd00:ec2::254',
  'fe80::1',
  '64:ff9b::a00:1',
];

it('are at least 60', () => {
  expect(nearby.length + resolved.length).toBeGreaterThanOrEqual(60);
});

describe('a request to', () => {
  it.each(nearby)('%s is refused, without asking the network', async (url) => {
    expect(await refusalOf(url)).toBe('not-public');
    expect([seen.names, seen.addresses]).toEqual([[], []]);
  });

  it.each(otherwise)('%s is refused by its form', async (url) => {
    expect(['address', 'not-public']).toContain(await refusalOf(url));
    expect([seen.names, seen.addresses]).toEqual([[], []]);
  });

  it.each(resolved)(
    'a name that resolves to %s is refused, without connecting',
    async (address) => {
      host.addresses = [[publicAddress, address]];
      expect(await refusalOf('https://app.example.com/')).toBe('not-public');
      expect(seen.addresses).toEqual([]);
    },
  );

  it('a name that rebinds goes to the address that was checked', async () => {
    host.addresses = [[publicAddress], ['127.0.0.1']];
    await post('https://app.example.com/');
    expect(seen).toMatchObject({ names: ['app.example.com'], addresses: [publicAddress] });
    expect(await refusalOf('https://app.example.com/')).toBe('not-public');
    expect(seen.addresses).toEqual([publicAddress]);
  });
});
