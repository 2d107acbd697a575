import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { signIn } from '../../support/cli/session.ts';
import { send } from '../../support/run/process.ts';

it('handbill stores 50 MB, releases them when interrupted, and sends them again', async () => {
  const { service, folder, run, token } = await signIn();
  const bytes = randomBytes(50_000_000);
  await writeFile(join(folder, 'big.bin'), bytes);
  const usedBytes = async (): Promise<number> =>
    (await send(`${service.url}/api/files/usage`, { token })).body.data.used;
  const interrupted = await run(['files', 'put', 'big.bin'], {
    during: async (child) => {
      while ((await usedBytes()) === 0);
      child.kill('SIGINT');
    },
  });
  expect(interrupted).toEqual({ code: 130, out: '', err: 'Interrupted.\n' });
  expect(await usedBytes()).toBe(0);
  const stored = await run(['files', 'put', 'big.bin']);
  expect([stored.code, stored.err]).toEqual([0, '']);
  expect(stored.out).toMatch(/^\d+\t\/big\.bin\n$/);
  expect(await usedBytes()).toBe(50_000_000);
  expect((await run(['files', 'ls'])).out).toMatch(/^\d+\t47\.7 MB\t\S+\t\/big\.bin\n$/);
  expect((await run(['files', 'get', 'big.bin'])).err).toBe(
    'big.bin exists: pass --force to replace it, or --output with another path.\n',
  );
  expect((await run(['files', 'get', 'big.bin', '-o', 'copy.bin'])).code).toBe(0);
  expect((await readFile(join(folder, 'copy.bin'))).equals(bytes)).toBe(true);
  expect((await run(['files', 'rm', 'big.bin'])).out).toBe('Deleted big.bin\n');
  // The trash keeps it.
  expect(await usedBytes()).toBe(50_000_000);
});
