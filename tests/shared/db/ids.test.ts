import { describe, expect, it } from 'vitest';
import { createRandomId } from '../../../shared/db/ids.ts';

describe('random ids', () => {
  it('are 22 characters, and never start as an option of a command does', () => {
    const ids = Array.from({ length: 2_000 }, createRandomId);
    expect(ids.filter((id) => !/^\w[\w-]{21}$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
