import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { withRoutes } from '../../infra/build/readme-routes.ts';
import { startProcess, temporaryFolder } from '../support/run/process.ts';

const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8');

it('lists the routes as they are', () => {
  expect(withRoutes(readme)).toBe(readme);
});

it('has lines to try that work as they stand', async () => {
  const lines = readme.match(/## Try it\n[\s\S]*?```sh\n([\s\S]*?)```/)?.[1] ?? '';
  expect(lines.match(/^curl|\$\(curl|\| *\n? +curl/gm)?.length).toBeGreaterThan(3);
  const service = await startProcess({ DATA_DIR: await temporaryFolder() });
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', lines], {
    cwd: await temporaryFolder(),
    env: { PATH: process.env['PATH'], HANDBILL_URL: service.url },
  });
  expect(stdout).toContain('>Hello<');
  expect(stdout).toMatch(new RegExp(`\nThe page: ${service.url}/s/[\\w-]{22}\n`));
  expect(stdout).toMatch(/"message":"Shared","url":"[^"]+","password":"[A-Za-z0-9]{6}"/);
  expect(stdout).toMatch(/"success":true,"points":\d\d,/);
  expect(stdout).toContain('<p>Some <em>Markdown</em></p>');
});
