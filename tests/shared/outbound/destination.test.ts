import { describe, expect, it } from 'vitest';
import { readDestination } from '../../../shared/outbound/destination.ts';
import { OutboundError } from '../../../shared/outbound/outbound-error.ts';

const refusalOf = (address: string): unknown => {
  try {
    return readDestination(address);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return [error.reason, error.message];
  }
};

const notPublic = ['not-public', 'must have a host on the public internet'];

describe('readDestination', () => {
  it.each([
    ['https://app.example.com/client.json?v=1', 'app.example.com', '/client.json?v=1'],
    ['https://app.example.com:443', 'app.example.com', '/'],
    ['https://APP.example.com/A', 'app.example.com', '/A'],
    ['https://bücher.de/a', 'xn--bcher-kva.de', '/a'],
    ['https://app。example。com/', 'app.example.com', '/'],
  ])('reads %s', (address, host, path) => {
    expect(readDestination(address)).toEqual({ host, authority: host, isAddress: false, path });
  });

  it('reads addresses', () => {
    expect(readDestination('https://93.184.215.14/a')).toMatchObject({ isAddress: true });
    expect(readDestination('https://[2606:2800:220::1]/a')).toEqual({
      host: '2606:2800:220::1',
      authority: '[2606:2800:220::1]',
      isAddress: true,
      path: '/a',
    });
  });

  it.each([
    '',
    'app.example.com',
    '//app.example.com/',
    'https://',
    'https://[::1/',
    'https://a b.example.com/',
    'https://999.1.1.1/',
  ])('refuses %j, which is no address', (address) => {
    expect(refusalOf(address)).toEqual(['address', 'must be an https address']);
  });

  it.each([
    ['http://app.example.com/', 'must start with https://'],
    ['ftp://app.example.com/', 'must start with https://'],
    ['file:///etc/passwd', 'must start with https://'],
    ['data:application/json,{}', 'must start with https://'],
    ['https://user@app.example.com/', 'must have no user name and no password'],
    ['https://user:word@app.example.com/', 'must have no user name and no password'],
    ['https://:word@app.example.com/', 'must have no user name and no password'],
    ['https://app.example.com:8443/', 'must have no port, as only 443 is asked'],
    ['https://app.example.com:80/', 'must have no port, as only 443 is asked'],
    ['https://app.example.com:22/', 'must have no port, as only 443 is asked'],
    ['https://app.example.com/#a', 'must have no fragment'],
    ['https://app.example.com/#', 'must have no fragment'],
  ])('refuses %s', (address, message) => {
    expect(refusalOf(address)).toEqual(['address', message]);
  });

  it.each([
    // Loopback in every form that the parser takes.
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.0.0.1/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://127.0.0.1./',
    'https://①②⑦.⓪.⓪.①/',
    'https://%31%32%37.0.0.1/',
    'https://0/',
    'https://0.0.0.0/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    // Metadata of clouds.
    'https://169.254.169.254/latest/meta-data/',
    'https://2852039166/',
    'https://0xa9fea9fe/',
    'https://[fd00:ec2::254]/latest/',
    'https://metadata.google.internal/',
    // Names of hosts nearby.
    'https://localhost/',
    'https://LOCALHOST/',
    'https://localhost./',
    'https://ｌｏｃａｌｈｏｓｔ/',
    'https://app.localhost/',
    'https://printer.local/',
    'https://db.internal/',
    'https://intranet/',
    'https://router.home.arpa/',
    'https://hidden.onion/',
    'https://app.test/',
    'https://app.invalid/',
    'https://app.example/',
    // Names that DNS doesn't have.
    'https://app.example.com./',
    'https://.example.com/',
    'https://app..example.com/',
    'https://-app.example.com/',
    `https://${'a'.repeat(64)}.example.com/`,
    `https://${'a.'.repeat(130)}example.com/`,
  ])('refuses %s, which is not public', (address) => {
    expect(refusalOf(address)).toEqual(notPublic);
  });
});
