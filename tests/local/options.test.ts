import { readdir, readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { configuredEndpoint } from '../../infra/local/endpoint.ts';
import { readOptions } from '../../infra/local/options.ts';
import { loadSecret } from '../../infra/local/signing-secret.ts';
import { temporaryFolder } from '../support/run/process.ts';

// What `npm start` is told and keeps; `run.slow.test.ts` proves that a process prints these messages.

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('readOptions', () => {
  it.each([
    ['PORT', 'abc', 'Set PORT to a port from 0 (any free one) to 65535.'],
    ['SNIPPETS_PORT', '65536', 'Set SNIPPETS_PORT to a port from 0 (any free one) to 65535.'],
    [
      'CORS_ORIGINS',
      'localhost',
      'Set CORS_ORIGINS to origins such as http://localhost:5173, comma-separated, or *.',
    ],
    [
      'FILES_URL',
      'files.example.com',
      'Set FILES_URL to the http(s) address at which a proxy passes on to the storage of files, such as https://snippets.example.com/storage.',
    ],
    [
      'MAILBOX_URL',
      'https://ann:secret@handbill.example.com/mailbox',
      'Set MAILBOX_URL to the http(s) address at which a proxy passes on to the mailbox, such as https://handbill.example.com/mailbox.',
    ],
    [
      'TRUSTED_PROXIES',
      'true',
      'Set TRUSTED_PROXIES to how many proxies in a row append the address of the client to X-Forwarded-For, from 0 to 9.',
    ],
    ['ADMIN_EMAIL', 'root', 'Set ADMIN_EMAIL to an email address.'],
    ['ADMIN_PASSWORD', 'short', 'Set ADMIN_PASSWORD to a password of 6 characters to 72 bytes.'],
    [
      'ADMIN_PASSWORD',
      'é'.repeat(37),
      'Set ADMIN_PASSWORD to a password of 6 characters to 72 bytes.',
    ],
  ])('rejects %s=%s', (name, value, message) => {
    expect(() => readOptions({ [name]: value })).toThrow(message);
  });
});

describe('configuredEndpoint', () => {
  it.each(['DYNAMODB', 'S3', 'SQS', 'SESV2'])(
    'rejects an address of %s that is no URL',
    (service) => {
      const name = `AWS_ENDPOINT_URL_${service}`;
      vi.stubEnv(name, 'nowhere');
      expect(() => configuredEndpoint(name)).toThrow(
        `Set ${name} to a URL such as http://127.0.0.1:8000.`,
      );
      vi.stubEnv(name, '');
      expect(configuredEndpoint(name)).toBeUndefined();
    },
  );
});

describe('the signing secret of a data folder', () => {
  it('is one and complete for concurrent starts', async () => {
    const folder = await temporaryFolder();
    const secrets = await Promise.all(Array.from({ length: 10 }, () => loadSecret(folder)));
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]).toMatch(/^[\w+/]{43}=$/);
    expect(await loadSecret(folder)).toBe(secrets[0]);
    // Nothing but the file: a start that broke off at any moment would have left the name or none.
    expect(await readdir(folder)).toEqual(['jwt-secret']);
    expect(await readFile(`${folder}/jwt-secret`, 'utf8')).toBe(secrets[0]);
  });
});
