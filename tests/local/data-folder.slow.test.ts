import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { rightsOf, startAndFail, startProcess, temporaryFolder } from '../support/run/process.ts';
import { keepSecret } from '../support/run/secrets.ts';

const script = join(import.meta.dirname, '../../infra/commands/recount.ts');

describe('the data folder', () => {
  it('is restricted if it was used before with wider permissions', async () => {
    const DATA_DIR = await temporaryFolder();
    await mkdir(join(DATA_DIR, 's3'));
    await writeFile(join(DATA_DIR, 'jwt-secret'), 'kept-secret-of-thirty-two-characters');
    await chmod(join(DATA_DIR, 'jwt-secret'), 0o644);
    await chmod(DATA_DIR, 0o755);
    await startProcess({ DATA_DIR });
    expect(await rightsOf(DATA_DIR)).toBe('700');
    expect(await rightsOf(DATA_DIR, 'jwt-secret')).toBe('600');
  });

  it('is rejected if others have access and it contains foreign files', async () => {
    const DATA_DIR = await temporaryFolder();
    await writeFile(join(DATA_DIR, 'notes.txt'), '');
    await chmod(DATA_DIR, 0o750);
    expect(await startAndFail({ DATA_DIR })).toEqual({
      code: 1,
      output: '',
      errors: `Other users can access the data folder ${DATA_DIR}. Run chmod 700 on it, or set DATA_DIR to another folder.\n`,
    });
    expect(await rightsOf(DATA_DIR)).toBe('750');
  });

  it('is rejected if it is a file', async () => {
    const DATA_DIR = join(await temporaryFolder(), 'file');
    await writeFile(DATA_DIR, '');
    const errors = `Can’t use the data folder ${DATA_DIR}. Check that you own it, or set DATA_DIR to another folder.\n`;
    expect(await startAndFail({ DATA_DIR })).toEqual({ code: 1, output: '', errors });
  });

  it('is rejected if it contains data of an earlier format', async () => {
    const DATA_DIR = await temporaryFolder();
    await mkdir(join(DATA_DIR, 'dynamodb'));
    await writeFile(join(DATA_DIR, 'dynamodb/CURRENT'), '');
    await writeFile(join(DATA_DIR, 'jwt-secret'), 'kept-secret-of-thirty-two-characters');
    const errors = `The data in ${DATA_DIR} is in an earlier format. Delete it, or set DATA_DIR to another folder.\n`;
    expect(await startAndFail({ DATA_DIR })).toEqual({ code: 1, output: '', errors });
  });
});

describe('the key', () => {
  it('authorizes npm run recount; other keys fail', async () => {
    const DATA_DIR = await temporaryFolder();
    const { dynamoDbUrl } = await startProcess({ DATA_DIR });
    const recount = (env: Record<string, string>) =>
      promisify(execFile)(process.execPath, [script, '--endpoint', dynamoDbUrl], {
        env: { PATH: process.env['PATH'] ?? '', ...env },
      });
    expect(await recount({ DATA_DIR })).toMatchObject({
      stdout: 'All counters are correct.\n',
    });
    const none = await temporaryFolder();
    await expect(recount({ DATA_DIR: none })).rejects.toMatchObject({
      stderr: 'Set DATA_DIR to the data folder of the service, which contains its key.\n',
    });
    const guessed = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };
    await expect(recount({ DATA_DIR: none, ...guessed })).rejects.toMatchObject({ code: 1 });
  });

  it('must not be guessable', async () => {
    const settings = {
      DATA_DIR: await temporaryFolder(),
      AWS_ENDPOINT_URL_SESV2: 'http://127.0.0.1:1',
      AWS_ACCESS_KEY_ID: 'test',
    };
    keepSecret('guessed', 'test-test');
    expect(await startAndFail({ ...settings, AWS_SECRET_ACCESS_KEY: 'test-test' })).toEqual({
      code: 1,
      output: '',
      errors:
        'Set AWS_SECRET_ACCESS_KEY to at least 16 characters, or unset it. The local engines accept it.\n',
    });
  });

  it('is reported as missing when its file is invalid', async () => {
    const DATA_DIR = await temporaryFolder();
    const file = join(DATA_DIR, 'aws-credentials');
    await writeFile(file, 'invalid', { mode: 0o600 });
    const errors = `Missing key in ${file}. Delete the file; the next start creates a key.\n`;
    expect(await startAndFail({ DATA_DIR })).toEqual({ code: 1, output: '', errors });
  });
});
