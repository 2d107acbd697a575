// Runs the commands that the README shows, in a shell and on a service as `npm start` makes it.

import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { admin, startFreshService } from '../../support/run/fresh-service.ts';
import { send, temporaryFolder } from '../../support/run/process.ts';

const readme = await readFile(join(import.meta.dirname, '../../../README.md'), 'utf8');

it('shows commands that work unchanged', async () => {
  const lines = readme.match(/## Try it\n[\s\S]*?```sh\n([\s\S]*?)```/)?.[1] ?? '';
  expect(lines.match(/^curl|\$\(curl|\| *\n? +curl/gm)?.length).toBeGreaterThan(3);
  const service = await startFreshService();
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', lines], {
    cwd: await temporaryFolder(),
    env: { PATH: process.env['PATH'], HANDBILL_URL: service.url },
  });
  expect(stdout).toContain('>Hello<');
  expect(stdout).toMatch(new RegExp(`\nThe page: ${service.url}/s/[\\w-]{22}\n`));
  expect(stdout).toMatch(
    /"message":"Shared","url":"[^"]+","audience":"link","password":"[A-Za-z0-9]{6}"/,
  );
  expect(stdout).toMatch(/\n401\n/);
  expect(stdout).toMatch(/"success":true,"points":\d\d,/);
  expect(stdout).toContain('<p>Some <em>Markdown</em></p>');
});

it('shows lines for the shell that work unchanged', async () => {
  const section = readme.match(/## From the shell\n([\s\S]*?)\n## /)?.[1] ?? '';
  const lines = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block).join('');
  expect(lines.match(/^(curl|handbill) |\| handbill /gm)).toHaveLength(11);
  const service = await startFreshService();
  const { body } = await send(`${service.url}/api/auth/login`, { method: 'POST', body: admin });
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'notes.md'), '# Notes\n');
  await writeFile(join(folder, 'app.ts'), 'let a = 1;\n');
  await mkdir(join(folder, 'dist'));
  await writeFile(join(folder, 'dist/index.html'), '<img src="a.png">');
  await writeFile(join(folder, 'dist/a.png'), '');
  await writeFile(join(folder, 'build.log'), 'Done\n');
  await symlink(
    join(import.meta.dirname, '../../../infra/cli/bin/handbill.cjs'),
    join(folder, 'handbill'),
  );
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', lines], {
    cwd: folder,
    env: {
      PATH: `${folder}:${process.env['PATH']}`,
      HOME: folder,
      HANDBILL_URL: service.url,
      HANDBILL_TOKEN: body.accessToken,
    },
  });
  const url = `${service.url}/s/[\\w-]{22}`;
  const row = (views: string, title: string, audience = 'link') =>
    `[\\w-]{22}\t${views}\tactive\t${audience}\t[^\t]+\t${title}\n`;
  expect(stdout).toMatch(
    new RegExp(
      `^${url}\n${url}\n${url}\n\\w{6}\n${url}\n${url}#k1\\.[\\w-]{43}\n${service.url}/r/[\\w-]+\n${row('0', '', 'link, sealed')}${row('0', 'notes', 'private')}${row('0', 'app.ts')}${row('0', '')}${row('0/3', '')}\\d+\t/notes.md\n` +
        `(?:{"id":"[\\w-]{22}","language":"markdown","message":"Shared","url":"${url}","audience":"link"}){2}${url}\n$`,
    ),
  );
});
