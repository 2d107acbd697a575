import { describe, expect, it } from 'vitest';
import { getNetwork } from '../../../shared/http/network.ts';

describe('getNetwork', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['255.255.255.255', '255.255.255.255'],
  ])('is an IPv4 address by itself: %s', (address, network) => {
    expect(getNetwork(address)).toBe(network);
  });

  it.each([
    '::ffff:192.0.2.1',
    '::FFFF:192.0.2.1',
    '::ffff:c000:201',
    '::ffff:C000:0201',
    '0:0:0:0:0:ffff:192.0.2.1',
    '0000:0000:0000:0000:0000:ffff:c000:0201',
    '::ffff:192.0.2.1%eth0',
  ])('is the IPv4 address that is written as %s', (address) => {
    expect(getNetwork(address)).toBe('192.0.2.1');
  });

  it.each([
    '2001:db8:1:2::',
    '2001:db8:1:2::1',
    '2001:DB8:1:2:ffff:ffff:ffff:ffff',
    '2001:0db8:0001:0002:0000:0000:0000:0001',
    '2001:db8:1:2::192.0.2.1',
    '2001:db8:1:2::1%eth0',
    '2001:db8:1:2::1%1',
  ])('is the /64 of %s', (address) => {
    expect(getNetwork(address)).toBe('2001:db8:1:2::/64');
  });

  it.each([
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%en0', 'fe80:0:0:0::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['2001:0:0:1::1', '2001:0:0:1::/64'],
    ['1::4:5:6:7:8', '1:0:0:4::/64'],
    ['::2:3:4:5:6:7:8', '0:2:3:4::/64'],
    ['::fffe:192.0.2.1', '0:0:0:0::/64'],
    ['::1:ffff:192.0.2.1', '0:0:0:0::/64'],
  ])('of %s is %s', (address, network) => {
    expect(getNetwork(address)).toBe(network);
  });

  it.each(['2001:db8:1:3::1', '2001:db8:2:2::1', '2001:db9:1:2::1'])(
    'is another one for %s than for 2001:db8:1:2::1',
    (address) => {
      expect(getNetwork(address)).not.toBe(getNetwork('2001:db8:1:2::1'));
    },
  );

  it.each([
    '',
    'unknown',
    '192.0.2',
    '192.0.2.256',
    '::ffff:192.0.2.256',
    ':::',
    '1:2:3:4:5:6:7:8:9',
    '[2001:db8::1]',
    '192.0.2.1, 198.51.100.1',
  ])('is whatever else is given, as it is: %s', (address) => {
    expect(getNetwork(address)).toBe(address);
  });
});
