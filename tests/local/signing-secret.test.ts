import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { loadSecret } from '../../infra/local/signing-secret.ts';
import { temporaryFolder } from '../support/run/process.ts';

it('creates one complete signing secret for concurrent starts', async () => {
  const folder = await temporaryFolder();
  const secrets = await Promise.all(Array.from({ length: 10 }, () => loadSecret(folder)));
  expect(new Set(secrets).size).toBe(1);
  expect(secrets[0]).toMatch(/^[\w+/]{43}=$/);
  expect(await loadSecret(folder)).toBe(secrets[0]);
  // Nothing but the file: a start that broke off at any moment would have left the name or none.
  expect(await readdir(folder)).toEqual(['jwt-secret']);
  expect(await readFile(`${folder}/jwt-secret`, 'utf8')).toBe(secrets[0]);
});
