import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { deployment } from '../deployment.ts';
import type { Flows } from './flow.ts';

const root = join(import.meta.dirname, '../../..');

export const otherFlows: Flows = {
  'the lines of the README': async () => {
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    const lines = readme.match(/## Try it\n[\s\S]*?```sh\n([\s\S]*?)```/)?.[1] ?? '';
    const cwd = await mkdtemp(join(tmpdir(), 'handbill-'));
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', lines], {
      cwd,
      env: { PATH: process.env['PATH'], HANDBILL_URL: deployment().origins.service },
    });
    await rm(cwd, { recursive: true });
    expect(stdout).toContain('>Hello<');
    expect(stdout).toContain('<p>Some <em>Markdown</em></p>');
    expect(stdout).toMatch(/"success":true,"points":\d\d,/);
  },
  'what is no route': async () => {
    for (const origin of Object.values(deployment().origins)) {
      expect((await fetch(`${origin}/no/such/thing`)).status).toBe(404);
    }
    const { origins } = deployment();
    expect((await fetch(`${origins.service}/api/auth/me`, { method: 'PATCH' })).status).toBe(405);
  },
};
