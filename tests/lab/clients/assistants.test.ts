import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { startProcess, temporaryFolder } from '../../support/run/process.ts';
import { conformanceExceptions } from '../support/clients/conformance-exceptions.ts';
import { startTokenProxy } from '../support/clients/token-proxy.ts';

const run = promisify(execFile);
const maxBuffer = 64 * 1024 ** 2;

const email = 'admin@example.com';
const password = 'correct horse';

const start = async (settings: Record<string, string> = {}) => {
  const { url } = await startProcess({
    DATA_DIR: await temporaryFolder(),
    ADMIN_EMAIL: email,
    ADMIN_PASSWORD: password,
    RATE_LIMIT_FACTOR: '1000',
    ...settings,
  });
  const post = async (path: string, body: object, token = '') => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    return (await response.json()) as { readonly token: string };
  };
  const { token } = await post('/api/auth/login', { email, password });
  // A resource to read.
  await post('/api/share', { content: '# Hi', language: 'markdown' }, token);
  return { url, token };
};

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'INFO' | 'SKIPPED' | 'WARNING' | 'FAILURE';
}

/** The exceptions that a run has met. */
const met = new Set<string>();

describe('the official conformance suite', () => {
  // 0.1 knows the revisions with sessions, 0.2 also the one without.
  it.each([
    ['0.1.16', []],
    ['0.2.0-alpha.12', ['--spec-version', '2026-07-28']],
    ['0.2.0-alpha.12', ['--spec-version', '2025-11-25']],
  ])(
    'of the version %s passes with %j, but for what it asks of its own server',
    async (version, options) => {
      const proxy = await startTokenProxy();
      const { url, token } = await start({ CORS_ORIGINS: proxy.origin });
      proxy.serve(url, token);
      const folder = await temporaryFolder();
      const suite = `@modelcontextprotocol/conformance@${version}`;
      const args = ['server', '--url', `${proxy.origin}/mcp`, '--suite', 'all', '-o', folder];
      // It fails if any check does.
      await run('npx', ['--yes', '--package', suite, 'conformance', ...args, ...options], {
        maxBuffer,
      }).catch(() => undefined);
      const checks = globSync(`${folder}/**/checks.json`).flatMap(
        (file) => JSON.parse(readFileSync(file, 'utf8')) as Check[],
      );
      const bad = checks.filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO');
      expect(checks.length - bad.length).toBeGreaterThan(5);
      for (const { id } of bad) met.add(id);
      expect(bad.filter(({ id }) => !(id in conformanceExceptions))).toEqual([]);
    },
  );

  afterAll(() => {
    expect(Object.keys(conformanceExceptions).filter((id) => !met.has(id))).toEqual([]);
  });
});

describe('the command line of MCP Inspector', () => {
  it('lists and calls tools', async () => {
    const { url, token } = await start();
    const inspect = async (...args: readonly string[]) => {
      const inspector = ['--yes', '--package', '@modelcontextprotocol/inspector@2.12.0'];
      const server = [
        `${url}/mcp`,
        '--transport',
        'http',
        '--header',
        `Authorization: Bearer ${token}`,
      ];
      const { stdout } = await run(
        'npx',
        [...inspector, 'mcp-inspector', '--cli', ...server, ...args],
        {
          maxBuffer,
        },
      );
      return JSON.parse(stdout);
    };
    const { tools } = await inspect('--method', 'tools/list');
    expect(tools).toContainEqual(expect.objectContaining({ name: 'share_create' }));
    const created = await inspect(
      ...['--method', 'tools/call', '--tool-name', 'share_create'],
      ...['--tool-arg', 'content=# Hi', '--tool-arg', 'language=markdown'],
    );
    expect(created.structuredContent).toMatchObject({ audience: 'private' });
  });
});
