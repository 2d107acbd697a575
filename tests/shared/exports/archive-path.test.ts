import { describe, expect, it } from 'vitest';
import { toArchiveName } from '../../../shared/exports/archive-path.ts';

describe('toArchiveName', () => {
  it.each([
    ['mangled \ufffd name.txt', 'mangled - name.txt'],
    ['caf\ufffd', 'caf-'],
    ['half \ud83d.txt', 'half -.txt'],
    ['a/b\\c:d', 'a-b-c-d'],
    ['../..', '-'],
    ['...', 'file'],
    ['con.txt', '_con.txt'],
  ])('makes a name of %j that every program takes', (text, name) => {
    expect(toArchiveName(text, 'file')).toBe(name);
  });
});
