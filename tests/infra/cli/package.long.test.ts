import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { packageVersion } from '../../../infra/build/package-version.ts';
import { temporaryFolder } from '../../support/run/process.ts';

const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);

it('keeps the client under 8 KB compressed, and what most of the command loads under 150 KB', async () => {
  const client = await readFile(join(root, 'infra/cli/built/client.js'));
  expect(gzipSync(client).length).toBeLessThan(8_000);
  expect(brotliCompressSync(client).length).toBeLessThan(8_000);
  const command = await readFile(join(root, 'infra/cli/built/handbill.cjs'));
  expect(command.length).toBeLessThan(150_000);
});

const program = `import { ApiError, createClient, createUpload, type Data } from 'handbill-cli/client';

const client = createClient({ baseUrl: 'http://127.0.0.1:1', fetch: async () => Response.json({ status: 'healthy', timestamp: '' }) });
const health: Data<'GET /api/health'> = await client.call('GET /api/health');
const status: string = health.status;
// @ts-expect-error there is no such field
health.other;
// @ts-expect-error there is no such route
client.url('GET /api/other');
console.log(status, typeof createUpload, ApiError.prototype instanceof Error);
`;

it('is packed, installed in an empty folder without a registry, and works there', async () => {
  const folder = await temporaryFolder();
  const bin = join(root, 'node_modules/.bin');
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}`, npm_config_cache: folder };
  const { stdout: packed } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: join(root, 'infra/cli'),
    env,
  });
  const [, name = ''] = packed.match(/"filename": "([^"]+)"/) ?? [];
  const files = [...packed.matchAll(/"path": "([^"]+)"/g)].flatMap(([, path = '']) => path);
  expect(files.filter((file) => !file.startsWith('built/types/'))).toEqual([
    'LICENSE',
    'README.md',
    'bin/handbill.cjs',
    'built/archives.cjs',
    'built/assistants.cjs',
    'built/client.js',
    'built/handbill.cjs',
    'built/licences.txt',
    'built/unpack.cjs',
    'package.json',
  ]);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await run('npm', ['install', '--offline', '--no-audit', join(folder, name)], {
    cwd: folder,
    env,
  });
  // Without being installed, too, from the same file.
  const npx = [
    '--offline',
    '--yes',
    '--package',
    join(folder, name),
    '--',
    'handbill',
    '--version',
  ];
  const elsewhere = await temporaryFolder();
  expect((await run('npx', npx, { cwd: elsewhere, env })).stdout).toBe(`${packageVersion}\n`);
  const licences = await readFile(
    join(folder, 'node_modules/handbill-cli/built/licences.txt'),
    'utf8',
  );
  expect(licences).toMatch(/^commander \S+ \(MIT\)\n\n\(The MIT License\)/);
  expect(licences).toContain('\nmute-stream ');

  const installed = join(folder, 'node_modules/.bin/handbill');
  expect((await run(installed, ['--version'], { cwd: folder })).stdout).toBe(`${packageVersion}\n`);
  await writeFile(join(folder, 'program.ts'), program);
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024,dom'];
  await run('tsc', [...options, '--outDir', folder, join(folder, 'program.ts')], {
    cwd: folder,
    env,
  });
  expect((await run('node', ['program.js'], { cwd: folder, env })).stdout).toBe(
    'healthy function true\n',
  );
});
