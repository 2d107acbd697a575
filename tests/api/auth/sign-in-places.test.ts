import { describe, expect, it } from 'vitest';
import {
  getSignInPlace,
  maxPlaces,
  recognizePlace,
} from '../../../functions/api/users/account/sign-in-places.ts';

const all = Array.from({ length: maxPlaces }, (_, at) => `place-${at}`);
const full = all.join(' ');

describe('recognize', () => {
  it('treats no place as new before the first sign-in', () => {
    expect(recognizePlace(undefined, ['here'])).toEqual({ isNew: false, places: 'here' });
  });

  it('adds a new place at the end, and drops the first of a full list', () => {
    expect(recognizePlace('there', ['here'])).toEqual({ isNew: true, places: 'there here' });
    expect(recognizePlace(full, ['here'])).toEqual({
      isNew: true,
      places: [...all.slice(1), 'here'].join(' '),
    });
  });

  it('keeps a list with a known place as it is, unless the place would soon be dropped', () => {
    const kept = { isNew: false, places: undefined };
    expect(recognizePlace('here there', ['here'])).toEqual(kept);
    expect(recognizePlace(full, ['place-10'])).toEqual(kept);
    const others = all.filter((place) => place !== 'place-9');
    const places = [...others, 'place-9'].join(' ');
    expect(recognizePlace(full, ['place-9'])).toEqual({ isNew: false, places });
  });

  it('recognizes a place by the previous signing key and replaces its code', () => {
    const places = 'there here-by-this-key';
    expect(
      recognizePlace('here-by-the-last-key there', ['here-by-this-key', 'here-by-the-last-key']),
    ).toEqual({ isNew: false, places });
  });
});

describe('getSignInPlace', () => {
  it.each([
    ['192.0.2.77', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.0/24'],
    ['2001:db8:1:2::3', '2001:db8:1::/48'],
    ['2001:db8::3', '2001:db8:0::/48'],
    ['::1', '0:0:0::/48'],
    ['unknown', 'unknown'],
  ])('shortens the address %s to %s', (address, network) => {
    expect(getSignInPlace({ ip: address, userAgent: undefined })).toEqual({
      device: undefined,
      network,
    });
  });

  it('searches the start of a long user agent only', () => {
    const device = (userAgent: string) => getSignInPlace({ ip: '', userAgent }).device;
    expect(device(`${'Version/'.repeat(1_000)} Firefox/140.0`)).toBe(undefined);
    expect(device('Firefox/140.0 (X11; Linux x86_64)')).toBe('Firefox on Linux');
  });
});
