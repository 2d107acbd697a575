import { execFile, spawnSync } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startProcess, temporaryFolder } from '../../support/run/process.ts';
import { writeOpenApi30 } from '../support/clients/openapi-30.ts';

const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);

/** The last version that contains its program instead of downloading it. */
const generator = '@openapitools/openapi-generator-cli@1.0.18-5.0.0-beta2';

const email = 'admin@example.com';
const password = 'correct horse';

const succeeds = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0;

const hasJava = succeeds('java', '-version');
const python = ['python3', '/usr/bin/python3'].find((program) =>
  succeeds(program, '-c', 'import urllib3, six, dateutil, certifi'),
);

const start = async () =>
  startProcess({
    DATA_DIR: await temporaryFolder(),
    ADMIN_EMAIL: email,
    ADMIN_PASSWORD: password,
  });

/** Generates a client of a language in a folder, which is returned. */
const generate = async (language: string): Promise<string> => {
  const folder = await temporaryFolder();
  const document = await writeOpenApi30(folder);
  const args = ['generate', '-i', document, '-g', language, '-o', folder, '--skip-validate-spec'];
  const options = { maxBuffer: 64 * 1024 ** 2 };
  await run('npx', ['--yes', '--package', generator, 'openapi-generator', ...args], options);
  return folder;
};

const shared = /^http:\/\/localhost:\d+\/s\/[\w-]{22}\n$/;

describe('a client generated from the OpenAPI document', () => {
  it('compiles and shares in TypeScript, by openapi-typescript and openapi-fetch', async () => {
    const { url } = await start();
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await run('npm', ['install', '--no-audit', 'openapi-fetch@0.17.0'], { cwd: folder });
    await copyFile(
      join(root, 'functions/web/browser/client/built/api.d.ts'),
      join(folder, 'api.d.ts'),
    );
    const program = `import createClient from 'openapi-fetch';
import type { paths } from './api.d.ts';

const anyone = createClient<paths>({ baseUrl: '${url}' });
const login = await anyone.POST('/api/auth/login', { body: { email: '${email}', password: '${password}' } });
if (!login.data) throw new Error(login.error.error.message);
if (!('token' in login.data)) throw new Error('A second factor is asked for.');
const headers = { authorization: \`Bearer \${login.data.token}\` };
const client = createClient<paths>({ baseUrl: '${url}', headers });
const { data, error } = await client.POST('/api/share', { body: { content: '# Hi', language: 'markdown' } });
if (!data) throw new Error(error.error.message);
console.log(data.url);
`;
    await writeFile(join(folder, 'program.ts'), program);
    const options = '--strict --skipLibCheck --module nodenext --target es2024 --lib es2024,dom';
    const tsc = join(root, 'node_modules/.bin/tsc');
    await run(tsc, [...options.split(' '), '--outDir', folder, join(folder, 'program.ts')], {
      cwd: folder,
    });
    const { stdout } = await run(process.execPath, ['program.js'], { cwd: folder });
    expect(stdout).toMatch(shared);
  });

  it.skipIf(!hasJava || !python)(
    'compiles and shares in Python, by OpenAPI Generator',
    async () => {
      const { url } = await start();
      const folder = await generate('python');
      const program = `import openapi_client as api
configuration = api.Configuration(host='${url}')
with api.ApiClient(configuration) as client:
    login = api.AuthApi(client).login(api.LoginInput(email='${email}', password='${password}'))
    configuration.access_token = login.token
    share = api.CreateShareInput(content='# Hi', language='markdown')
    print(api.ShareApi(client).create_share(share).url)
`;
      await writeFile(join(folder, 'program.py'), program);
      await run(python ?? '', ['-m', 'compileall', '-q', 'openapi_client'], { cwd: folder });
      const { stdout } = await run(python ?? '', ['program.py'], { cwd: folder });
      expect(stdout).toMatch(shared);
    },
  );

  it.skipIf(!hasJava)('parses and shares in Bash, by OpenAPI Generator', async () => {
    const { url } = await start();
    const folder = await generate('bash');
    const client = join(folder, 'client.sh');
    await run('bash', ['-n', client]);
    const script = `call() { bash "$1" --host "$2" -s --content-type json --accept json "\${@:3}"; }
field() { node -p "JSON.parse(fs.readFileSync(0))$1"; }
token=$(echo '{"email":"${email}","password":"${password}"}' | call "$1" "$2" login - | field .token)
echo '{"content":"# Hi"}' | call "$1" "$2" -H "authorization: Bearer $token" createShare - | field .url
`;
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script, 'bash', client, url]);
    expect(stdout).toMatch(shared);
  });
});
