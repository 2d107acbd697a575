// Bundles by themselves: what they load and do without a deployment. `lab/lambda/` runs all of them with one.

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { App, Stack } from 'aws-cdk-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import cdk from '../../cdk.json' with { type: 'json' };
import { functionConfigs } from '../../infra/functions/config/functions.ts';
import { buildFunction } from '../../infra/functions/function-code.ts';
import { ApiFunction } from '../../infra/stack/api-function.ts';
import { useTable } from '../support/table/table.ts';

useTable();

const run = promisify(execFile);

/** The groups with a worker; together they contain nearly all shared code. */
const groups = ['markdown', 'share'] as const;

// Outside the project, because its package.json would make Node read CommonJS files as ESM.
const outdir = mkdtempSync(join(tmpdir(), 'handbill-bundles-'));
const folders = new Map<string, string>();

beforeAll(() => {
  for (const group of groups) {
    const app = new App({ outdir: join(outdir, group), context: cdk.context });
    new ApiFunction(new Stack(app, 'Bundle'), 'Function', group, functionConfigs[group], {
      stage: 'prod',
    });
    const asset = readdirSync(app.outdir).find((name) => name.startsWith('asset.'));
    folders.set(group, join(app.outdir, asset ?? 'none'));
  }
});

afterAll(() => rmSync(outdir, { recursive: true, force: true }));

/** Runs a script with `handler` from the group's bundle, in a separate process without access to this project. Returns its output. */
const outputOf = async (group: string, script: string, env = {}): Promise<string> => {
  const folder = folders.get(group) ?? '';
  const source = `const { handler } = await import(process.argv[1]);${script}`;
  const args = ['--input-type=module', '-e', source, join(folder, 'index.mjs')];
  return (await run(process.execPath, args, { cwd: outdir, env })).stdout;
};

/** Returns what a script wrote after the lines of the log. */
const runWith = async (...args: Parameters<typeof outputOf>): Promise<string> =>
  (await outputOf(...args)).split('\n').at(-1) ?? '';

describe('a bundle', () => {
  it.each(groups)('of %s loads without settings and exports a handler', async (group) => {
    expect(await runWith(group, 'process.stdout.write(typeof handler)')).toBe('function');
  });

  it('starts when what its entry prepares is ready', async () => {
    const folder = join(outdir, 'entry');
    mkdirSync(folder);
    copyFileSync(join(folders.get('share') ?? '', 'index.mjs'), join(folder, 'index.mjs'));
    const code = `exports.handler = () => isRead;
      let isRead = false;
      exports.ready = new Promise(setImmediate).then(() => { isRead = true; });`;
    writeFileSync(join(folder, 'bundle.js'), code);
    const { handler } = await import(join(folder, 'index.mjs'));
    expect(handler()).toBe(true);
  });

  it.each(groups)('of %s includes the Markdown worker', (group) => {
    const files = readdirSync(folders.get(group) ?? '');
    expect(files).toEqual(expect.arrayContaining(['bundle.js', 'index.mjs', 'markdown-worker.js']));
  });

  /** Reads a part with all that it loads when it starts. */
  const readStart = (folder: string, part: string, seen = new Set<string>()): string => {
    if (seen.has(part)) return '';
    seen.add(part);
    const code = readFileSync(join(folder, part), 'utf8');
    const imported = code.matchAll(/require\("\.\/(chunk-[^"]+)"\)/g);
    return code + Array.from(imported, ([, name = '']) => readStart(folder, name, seen)).join('');
  };

  it.each(groups)(
    'of %s has a worker that starts with less than 145,000 bytes, without highlighter and math',
    (group) => {
      const code = readStart(folders.get(group) ?? '', 'markdown-worker.js');
      expect(code.length).toBeGreaterThan(100_000);
      expect(code.length).toBeLessThan(145_000);
      expect(code).not.toMatch(/hljs-|mathvariant/);
    },
  );

  it('of markdown has no highlighter and no math; that of share has both, and not KaTeX', () => {
    const read = (group: string) => {
      const folder = folders.get(group) ?? '';
      const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
      return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
    };
    expect(read('markdown')).not.toMatch(/hljs-|mathvariant/);
    expect(read('share')).toMatch(/hljs-/);
    expect(read('share')).toMatch(/mathvariant/);
    expect(read('share')).not.toMatch(/katex-html/);
  });

  it('of share highlights code and renders math', async () => {
    const worker = new Worker(join(folders.get('share') ?? '', 'markdown-worker.js'));
    await once(worker, 'message');
    const markdown = '```js\nlet a;\n```\n\n$x$';
    worker.postMessage({ markdown, maxBytes: 1_000, withPage: true });
    const [{ page }] = await once(worker, 'message');
    expect(page).toContain('<span class="hljs-keyword">let</span>');
    expect(page).toContain('<math><mi>x</mi></math>');
    await worker.terminate();
  });

  it('converts Markdown with the worker', async () => {
    const event = {
      version: '2.0',
      routeKey: 'POST /api/markdown',
      rawPath: '/api/markdown',
      rawQueryString: '',
      headers: { 'content-type': 'application/json' },
      requestContext: {
        requestId: 'request-1',
        http: { method: 'POST', path: '/api/markdown', sourceIp: '192.0.2.1', userAgent: '' },
      },
      body: JSON.stringify({ markdown: '# Hi' }),
      isBase64Encoded: false,
    };
    const script = `
      // Lambda's own runtime keeps the process running.
      const alive = setInterval(() => {}, 1_000);
      handler(${JSON.stringify(event)}, {}).then((result) => {
        process.stdout.write(JSON.stringify(result));
        clearInterval(alive);
      });`;
    // Without a table, the limiter logs an error and allows the request.
    const quiet = { POWERTOOLS_LOG_LEVEL: 'SILENT', POWERTOOLS_METRICS_DISABLED: 'true' };
    const [line = '', result = ''] = (await outputOf('markdown', script, quiet)).split('\n');
    expect(JSON.parse(line)).toEqual({
      requestId: 'request-1',
      route: 'POST /api/markdown',
      status: 200,
      ms: expect.any(Number),
    });
    const { statusCode, body } = JSON.parse(result);
    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toMatchObject({
      html: expect.stringContaining('<h1>Hi</h1>'),
      markdown: '# Hi',
    });
  });

  it('answers what is no route of its group as the fallback function does, and says in its log what was asked', async () => {
    const requests = [
      ['GET', '/api/share/1/nowhere', 'application/json'],
      ['GET', '/api/share/1/nowhere', 'text/html'],
      ['HEAD', '/api/share/1/nowhere', 'text/html'],
      ['PATCH', '/api/share', 'text/html'],
      ['HEAD', '/api/share/1/report', '*/*'],
      ['OPTIONS', '/api/share/1/report', '*/*'],
      // Of another group, by a slash that was encoded.
      ['GET', '/api/users/1/sessions', '*/*'],
    ];
    const events = requests.map(([method = '', rawPath = '', accept = '']) => ({
      version: '2.0',
      routeKey: 'ANY /api/share/{proxy+}',
      rawPath,
      rawQueryString: '',
      headers: { accept },
      requestContext: {
        requestId: 'request-1',
        http: { method, path: rawPath, sourceIp: '192.0.2.1', userAgent: '' },
      },
    }));
    folders.set('fallback', join(outdir, 'fallback'));
    buildFunction('fallback', { memoryMb: 256, timeoutSeconds: 5 }, join(outdir, 'fallback'));
    const script = `
      const results = [];
      for (const event of ${JSON.stringify(events)}) results.push(await handler(event, {}));
      process.stdout.write(JSON.stringify(results), () => process.exit());`;
    const env = { API_HOST: 'service' };
    const expected = JSON.parse(await runWith('fallback', script, env));
    const lines = (await outputOf('share', script, env)).split('\n');
    expect(JSON.parse(lines.pop() ?? '')).toEqual(expected);
    const statuses = [404, 404, 404, 405, 405, 204, 404];
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      statuses.map((status) => ({
        requestId: 'request-1',
        route: 'none',
        status,
        ms: expect.any(Number),
      })),
    );
  });

  it('accesses the table with the credentials of the Lambda environment', async () => {
    const event = {
      version: '2.0',
      routeKey: 'GET /api/share',
      rawPath: '/api/share',
      rawQueryString: 'id=nothing',
      queryStringParameters: { id: 'nothing' },
      headers: {},
      requestContext: {
        requestId: 'request-1',
        http: { method: 'GET', path: '/api/share', sourceIp: '192.0.2.1', userAgent: '' },
      },
    };
    const context =
      '{ awsRequestId: "1", functionName: "share", getRemainingTimeInMillis: () => 15000 }';
    const script = `handler(${JSON.stringify(event)}, ${context}).then((r) => process.stdout.write(r.body))`;
    const names = ['TABLE_NAME', 'AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
    const kept = [...names, 'AWS_ENDPOINT_URL_DYNAMODB', 'JWT_SECRET', 'POWERTOOLS_LOG_LEVEL'];
    const env = Object.fromEntries(kept.map((name) => [name, process.env[name]]));
    expect(JSON.parse(await runWith('share', script, env)).error).toMatchObject({
      code: 'NOT_FOUND',
      message: 'Share not found.',
    });
  });
});
