import { describe, expect, it } from 'vitest';
import { AmountError, maxMinor, toMajor, toMinor } from '../../../functions/api/sales/money.ts';
import fc from '../../support/run/properties.ts';

describe('toMinor and toMajor', () => {
  it.each<[number | string, string, number]>([
    [0, 'EUR', 0],
    [-0, 'EUR', 0],
    [0.1, 'EUR', 10],
    [12.34, 'EUR', 1_234],
    ['12.340', 'EUR', 1_234],
    [' 007.5 ', 'EUR', 750],
    [1.005, 'KWD', 1_005],
    ['12.345', 'KWD', 12_345],
    [500, 'JPY', 500],
    ['500.00', 'JPY', 500],
    [8_188_888_888.37, 'EUR', 818_888_888_837],
    ['10000000000', 'EUR', maxMinor],
  ])('convert %j in %s to %i minor units', (written, currency, minor) => {
    expect(toMinor(written, currency)).toBe(minor);
  });

  const range = 'must be at most 10000000000.00';
  const shape = 'must be a decimal number such as 12.34';
  it.each<[number | string, string, string]>([
    [0.1 + 0.2, 'EUR', 'must have at most 2 decimals for EUR'],
    ['12.345', 'EUR', 'must have at most 2 decimals for EUR'],
    [1.0001, 'KWD', 'must have at most 3 decimals for KWD'],
    [0.5, 'JPY', 'must be an integer, because JPY has no decimals'],
    [-1, 'EUR', 'must not be negative'],
    ['-0.01', 'EUR', 'must not be negative'],
    [1e21, 'EUR', range],
    [1e300, 'EUR', range],
    ['10000000000.01', 'EUR', range],
    [2 ** 53, 'EUR', range],
    [1e-7, 'EUR', shape],
    ['', 'EUR', shape],
    ['1,5', 'EUR', shape],
    ['1.000,50', 'EUR', shape],
    ['.5', 'EUR', shape],
    ['5.', 'EUR', shape],
    ['+5', 'EUR', shape],
    ['0x10', 'EUR', shape],
    ['1e3', 'EUR', shape],
    ['١٢', 'EUR', shape],
    ['NaN', 'EUR', shape],
    ['x', 'JPY', 'must be a decimal number such as 1234'],
  ])('reject %j in %s: %s', (written, currency, message) => {
    expect(() => toMinor(written, currency)).toThrow(new AmountError(message));
  });

  it('restore any amount exactly', () => {
    const minors = fc.integer({ min: 0, max: maxMinor });
    fc.assert(
      fc.property(minors, fc.constantFrom('EUR', 'JPY', 'KWD'), (minor, currency) => {
        const major = toMajor(minor, currency);
        expect(toMinor(major, currency)).toBe(minor);
        expect(toMinor(JSON.parse(JSON.stringify(major)), currency)).toBe(minor);
      }),
    );
  });

  it.each<[bigint, string, number]>([
    [-5n, 'EUR', -0.05],
    [-1_234n, 'EUR', -12.34],
    [-7n, 'JPY', -7],
    [0n, 'EUR', 0],
    [5n, 'KWD', 0.005],
    [9_007_199_254_740_991n, 'EUR', 90_071_992_547_409.91],
  ])('convert %i minor units in %s to %d', (minor, currency, major) => {
    expect(toMajor(minor, currency)).toBe(major);
  });
});
