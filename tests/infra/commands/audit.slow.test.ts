import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Starts a local npm registry with these advisories, by package name. */
const startRegistry = async (advisories: Readonly<Record<string, unknown>>): Promise<string> => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const isAudit = request.url?.startsWith('/-/npm/v1/security/') ?? false;
      response.writeHead(isAudit ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isAudit ? advisories : {}));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

const advisory = (severity: string) => ({
  id: 1,
  url: 'https://example.com/advisory',
  title: 'A vulnerability',
  severity,
  vulnerable_versions: '>=0',
});

/** Runs the command against a registry. */
const audit = (registry: string) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const { npm_execpath: _, ...environment } = process.env;
    const env = { ...environment, npm_config_registry: registry, npm_config_cache: '/dev/null' };
    const command = join(import.meta.dirname, '../../../infra/commands/audit.ts');
    execFile(process.execPath, [command], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

const clean = 'No known vulnerabilities of severity high or critical in production dependencies.\n';

describe('npm run audit', () => {
  it('passes without known vulnerabilities', async () => {
    const registry = await startRegistry({});
    expect(await audit(registry)).toEqual({ code: 0, stdout: clean, stderr: '' });
  });

  it('ignores lower severities and development dependencies', async () => {
    const registry = await startRegistry({
      zod: [advisory('moderate')],
      vitest: [advisory('critical')],
    });
    expect(await audit(registry)).toEqual({ code: 0, stdout: clean, stderr: '' });
  });

  it.each(['high', 'critical'])(
    'exits with code 1 for a vulnerability of severity %s',
    async (severity) => {
      const registry = await startRegistry({ zod: [advisory(severity)] });
      const { code, stdout, stderr } = await audit(registry);
      expect([code, stdout]).toEqual([
        1,
        expect.stringMatching(new RegExp(`^zod .*: ${severity}\n$`)),
      ]);
      expect(stderr).toBe(
        'Known vulnerabilities in 1 package. Run npm audit --omit=dev for details.\n',
      );
    },
  );

  it('exits with code 2 when the registry is unavailable', async () => {
    const registry = await startRegistry({});
    for (const close of closing.splice(0)) close();
    expect(await audit(registry)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'Can’t reach the npm registry, so vulnerabilities are unknown. Try again when you are online.\n',
    });
  });
});
