import bcrypt from 'bcryptjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hashPassword, isPassword } from '../../../shared/auth/passwords.ts';

afterEach(() => {
  vi.restoreAllMocks();
  process.env['PASSWORD_COST'] = '4';
});

describe('concurrent password hashes', () => {
  /** What is being computed, and how much of it was at most at the same time. */
  let running: string[];
  let most: number;
  let order: string[];
  beforeEach(() => {
    running = [];
    most = 0;
    order = [];
    const real = { hash: bcrypt.hash.bind(bcrypt), compare: bcrypt.compare.bind(bcrypt) };
    const watched = async <Result>(password: string, work: () => Promise<Result>) => {
      running.push(password);
      order.push(password);
      most = Math.max(most, running.length);
      const result = await work();
      running = running.filter((one) => one !== password);
      return result;
    };
    vi.spyOn(bcrypt, 'hash').mockImplementation(((password: string, cost: number) =>
      watched(password, () => real.hash(password, cost))) as never);
    vi.spyOn(bcrypt, 'compare').mockImplementation(((password: string, hash: string) =>
      watched(password, () => real.compare(password, hash))) as never);
  });

  it('are computed sequentially in order', async () => {
    const made = await Promise.all(['first', 'second', 'third'].map(hashPassword));
    const checks = ['first', 'other', 'third'].map((password, at) =>
      isPassword(password, made[at]),
    );
    const fourth = hashPassword('fourth');
    expect(await Promise.all(checks)).toEqual([true, false, true]);
    await fourth;
    expect([most, order]).toEqual([
      1,
      ['first', 'second', 'third', 'first', 'other', 'third', 'fourth'],
    ]);
  });

  it('do not interrupt the check of a hash with a lower cost', async () => {
    const hash = await hashPassword('first');
    process.env['PASSWORD_COST'] = '6';
    order = [];
    await Promise.all([isPassword('first', hash), isPassword('second', undefined)]);
    expect(order).toEqual(['first', 'first', 'first', 'second']);
  });

  it('continue after a failure', async () => {
    vi.mocked(bcrypt.hash).mockRejectedValueOnce(new Error('It failed') as never);
    const works = [hashPassword('first'), hashPassword('second')];
    expect((await Promise.allSettled(works)).map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
    ]);
  });
});
