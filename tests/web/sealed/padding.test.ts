import { describe, expect, it } from 'vitest';
import { pad, toPaddedLength, unpad } from '../../../functions/web/browser/sealed/padding.ts';

describe('the padding', () => {
  it.each([
    [1, 1_024],
    [1_024, 1_024],
    [1_025, 1_088],
    [4_000, 4_096],
    [4_097, 4_352],
    [1_000_000, 1_015_808],
    [4_194_304, 4_194_304],
  ])('makes %i bytes %i', (bytes, padded) => {
    expect(toPaddedLength(bytes)).toBe(padded);
  });

  it('takes at most 12 % from 1 KB on, and stays what it is', () => {
    for (let bytes = 1_024; bytes < 5_000_000; bytes = Math.ceil(bytes * 1.013)) {
      const padded = toPaddedLength(bytes);
      expect(padded).toBeGreaterThanOrEqual(bytes);
      expect(padded).toBeLessThanOrEqual(bytes * 1.12);
      expect(toPaddedLength(padded)).toBe(padded);
    }
  });

  it('is taken off, and refused if it says anything', () => {
    for (const length of [0, 1, 1_020, 1_021, 5_000]) {
      const content = new Uint8Array(length).fill(7);
      expect(unpad(pad(content))).toEqual(content);
    }
    const marked = pad(new Uint8Array([1]));
    marked[900] = 1;
    expect(() => unpad(marked)).toThrow('padding');
    const longer = pad(new Uint8Array([1]));
    new DataView(longer.buffer).setUint32(0, 4_000_000_000);
    expect(() => unpad(longer)).toThrow('padding');
  });
});
