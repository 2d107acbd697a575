import { type ChildProcess, execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { packageVersion } from '../../../infra/build/package-version.ts';
import { createShell } from '../../support/cli/handbill.ts';
import { temporaryFolder } from '../../support/run/process.ts';
import { useFakeService } from './fake-service.ts';

const service = useFakeService();

const prepare = async () => {
  const folder = await temporaryFolder();
  const { run } = createShell(folder);
  const env = { HANDBILL_URL: service.url, HANDBILL_TOKEN: 'hb_token' };
  return { folder, run, env };
};

const refusal = (code: string, message: string, details: object[] = []) => ({
  success: false,
  error: { code, message, details, requestId: 'r' },
});

describe('the exit code of handbill', () => {
  it.each([
    [['shaer'], "unknown command 'shaer' (Did you mean share?)"],
    [
      ['list', '--limit', '0'],
      "option '--limit <n>' argument '0' is invalid. It must be a number from 1.",
    ],
    [['rm'], "missing required argument 'shares'"],
    [
      ['share', '-e', 'soon'],
      "option '-e, --expires <when>' argument 'soon' is invalid. It must be such as 90m, 12h, 2d, 1w or 2030-01-31.",
    ],
    [['share', '-r', '-p', 'abc123'], 'Use either --password or --random-password.'],
    [['share', '-', 'a.md'], 'Share either the input or files.'],
    [['share', '--for', 'ann@example.com', '--private'], 'Use either --for or --private.'],
    [['share', '--members', '--audience', 'link'], 'Use either --members or --audience link.'],
    [['share', '--for', ' ,'], 'Name the people: --for ann@example.com.'],
    [['share', '--audience', 'people'], 'Name the people: --for ann@example.com.'],
    [
      ['share', '--audience', 'friends'],
      "option '--audience <audience>' argument 'friends' is invalid. Allowed choices are private, people, members, link.",
    ],
    [
      ['login', 'share.example.com'],
      'share.example.com is no address of a service: it must be such as https://share.example.com.',
    ],
  ])('is 2 for %j', async (args, message) => {
    const { run, env } = await prepare();
    expect(await run(args, { env })).toEqual({ code: 2, out: '', err: `${message}\n` });
  });

  it('is 1 for what the service refuses, with each field', async () => {
    const { run, env } = await prepare();
    const details = [
      { field: 'title', message: 'must be one line' },
      { field: 'slug', message: 'is taken' },
    ];
    service.respond(({ answer }) =>
      answer(400, refusal('VALIDATION_ERROR', 'Invalid title: must be one line.', details)),
    );
    expect(await run(['share'], { env, input: 'Hi' })).toEqual({
      code: 1,
      out: '',
      err: 'Invalid title: must be one line; slug is taken.\n',
    });
  });

  it.each([
    ['nothing.md', 'There is no file nothing.md.'],
    ['bytes.md', 'bytes.md is no text in UTF-8, UTF-16 with a mark, or Windows-1252.'],
    ['empty.md', 'empty.md is empty.'],
    ['huge.md', 'huge.md is larger than 16 MB.'],
    [
      'large.md',
      'This is larger than 512 KB, the most of Markdown and of lines. HTML can have 16 MB, and 4 MB compressed; files beside a page are shared with --main.',
    ],
  ])('is 1 for the file %s', async (name, message) => {
    const { folder, run, env } = await prepare();
    await writeFile(join(folder, 'bytes.md'), Buffer.from([0xff, 0]));
    await writeFile(join(folder, 'empty.md'), '');
    await writeFile(join(folder, 'huge.md'), Buffer.alloc(16 * 1024 ** 2 + 1, 'x'));
    await writeFile(join(folder, 'large.md'), Buffer.alloc(512 * 1024 + 1, 'x'));
    service.respond(() => expect.unreachable());
    expect(await run(['share', name], { env })).toEqual({ code: 1, out: '', err: `${message}\n` });
  });

  it('is 3 for a service that can’t be reached', async () => {
    const { run } = await prepare();
    const env = { HANDBILL_URL: 'http://127.0.0.1:1', HANDBILL_TOKEN: 'hb_token' };
    expect(await run(['share'], { env, input: 'Hi' })).toEqual({
      code: 3,
      out: '',
      err: 'Can’t reach http://127.0.0.1:1.\n',
    });
  });

  it('is 0 for help and version', async () => {
    const { run } = await prepare();
    const { code, out } = await run(['--help']);
    expect([code, out]).toEqual([0, expect.stringContaining('Exit codes: 0 done, 1 refused')]);
    expect(await run(['--version'])).toEqual({ code: 0, out: `${packageVersion}\n`, err: '' });
  });
});

describe('the configuration of handbill', () => {
  const keep = async (folder: string, text: string) => {
    await mkdir(join(folder, '.config/handbill'), { recursive: true });
    await writeFile(join(folder, '.config/handbill/config.json'), text);
  };

  it('sends the token to the service that it is of, and to no other', async () => {
    const { folder, run } = await prepare();
    await keep(folder, JSON.stringify({ url: service.url, token: 'hb_kept' }));
    service.respond(({ answer }) =>
      answer(200, { success: true, data: { name: 'Ann', email: 'ann@example.com', role: 'user' } }),
    );
    expect((await run(['whoami'])).out).toBe(`Ann <ann@example.com>, user at ${service.url}\n`);
    expect(service.received()[0]?.headers['authorization']).toBe('Bearer hb_kept');
    const other = service.url.replace('127.0.0.1', 'localhost');
    expect(await run(['whoami'], { env: { HANDBILL_URL: other } })).toEqual({
      code: 1,
      out: '',
      err: `Not signed in at ${other}: run handbill login.\n`,
    });
    expect(service.received()).toHaveLength(1);
  });

  it('says what to do about a damaged file', async () => {
    const { folder, run } = await prepare();
    await keep(folder, '{');
    expect((await run(['list'])).err).toBe(
      `${join(folder, '.config/handbill/config.json')} is damaged: run handbill login again.\n`,
    );
  });
});

/** Interrupts the command when the service is asked for something. */
const interruptAt = (line: string, child: ChildProcess) =>
  new Promise<void>((resolve) => {
    const wait = () => {
      if (!service.received().some((one) => one.line === line)) return void setImmediate(wait);
      child.kill('SIGINT');
      resolve();
    };
    wait();
  });

describe('Ctrl-C', () => {
  it('deletes a share that is being created', async () => {
    const { run, env } = await prepare();
    service.respond(({ line, before, answer }) => {
      if (line === 'POST /api/share' && before === 0) return;
      answer(200, { id: 'f7XgRGBLz1Nf5QNl3OeMeQ', url: `${service.url}/s/x`, message: '' });
    });
    const ran = await run(['share'], {
      env,
      input: 'Hi',
      during: (child) => interruptAt('POST /api/share', child),
    });
    expect(ran).toEqual({ code: 130, out: '', err: 'Interrupted.\n' });
    const [first, second, third] = service.received();
    expect([second?.line, third?.line]).toEqual([
      'POST /api/share',
      'DELETE /api/share/f7XgRGBLz1Nf5QNl3OeMeQ',
    ]);
    expect(first?.headers['idempotency-key']).toMatch(/^[\da-f-]{36}$/);
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  });

  it('leaves nothing of a download', async () => {
    const { folder, run, env } = await prepare();
    service.respond(({ line, response, answer }) => {
      if (line === 'GET /storage') response.writeHead(200, { 'content-length': 100 }).write('half');
      else if (line.endsWith('/download')) {
        answer(302, { success: true, data: { url: `${service.url}/storage` } });
      } else answer(200, { success: true, data: { id: 7, name: 'a.txt' } });
    });
    const ran = await run(['files', 'get', '7'], {
      env,
      during: (child) => interruptAt('GET /storage', child),
    });
    expect(ran).toEqual({ code: 130, out: '', err: 'Interrupted.\n' });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('files put', () => {
  it('starts an upload again whose connection was lost', async () => {
    const { folder, run, env } = await prepare();
    await writeFile(join(folder, 'a.bin'), Buffer.alloc(5 * 1024 ** 2, 'x'));
    const form = {
      id: 7,
      url: `${service.url}/storage`,
      fields: {},
      expiresAt: '2099-01-01T00:00:00Z',
    };
    service.respond(({ line, before, request, answer }) => {
      if (line !== 'POST /storage') {
        answer(200, {
          success: true,
          data: line.endsWith('presign') ? form : { id: 7, path: '/a.bin' },
        });
      } else if (before < 2) request.once('data', () => request.destroy());
      else answer(204, null);
    });
    const again = 'The connection was lost: a.bin starts again.\n';
    expect(await run(['files', 'put', 'a.bin'], { env })).toEqual({
      code: 0,
      out: '7\t/a.bin\n',
      err: `${again}${again}`,
    });
    expect(service.received().map(({ line }) => line)).toEqual([
      'POST /api/files/presign',
      'POST /storage',
      'POST /storage',
      'POST /storage',
      'POST /api/files/7/complete',
    ]);
  });
});

describe('share --random-password', () => {
  it('makes another password if the response with the first was lost', async () => {
    const { run, env } = await prepare();
    service.respond(({ line, before, request, answer }) => {
      if (line === 'POST /api/share' && before === 0) request.destroy();
      else if (line === 'POST /api/share') answer(201, { id: 'A', url: `${service.url}/s/A` });
      else answer(200, { password: 'abc123' });
    });
    expect(await run(['share', '-r'], { env, input: 'Hi' })).toEqual({
      code: 0,
      out: `${service.url}/s/A\nabc123\n`,
      err: '',
    });
    expect(
      service
        .received()
        .map(({ line }) => line)
        .at(-1),
    ).toBe('PUT /api/share/A');
  });
});

describe('get', () => {
  const signInAgain = refusal('UNAUTHORIZED', 'The access token is missing. Sign in again.');
  const getSignedOut = async (status: number, foreign: object) => {
    const { run } = await prepare();
    service.respond(({ line, answer }) =>
      line.includes('mine=true') ? answer(401, signInAgain) : answer(status, foreign),
    );
    return run(['get', 'team-notes'], { env: { HANDBILL_URL: service.url } });
  };

  it('says how to sign in for a share that isn’t open to all', async () => {
    expect(await getSignedOut(401, refusal('UNAUTHORIZED', 'Sign in to see this share.'))).toEqual({
      code: 1,
      out: '',
      err: 'Sign in to see this share: run handbill login.\n',
    });
    expect(await getSignedOut(404, refusal('NOT_FOUND', 'Share not found.'))).toEqual({
      code: 1,
      out: '',
      err: 'Share not found. If only some people can open it, run handbill login first.\n',
    });
  });

  it('says nothing of it to those who are signed in', async () => {
    const { run, env } = await prepare();
    service.respond(({ answer }) => answer(404, refusal('NOT_FOUND', 'Share not found.')));
    expect((await run(['get', 'team-notes'], { env })).err).toBe('Share not found.\n');
  });
});

describe('completion', () => {
  it('completes commands, their options and files in Bash', async () => {
    const { folder, run } = await prepare();
    const { out } = await run(['completion', 'bash']);
    await writeFile(join(folder, 'completion.sh'), out);
    const complete = async (...words: string[]) => {
      const script = `. ./completion.sh; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _handbill; echo "\${COMPREPLY[*]}"`;
      const args = ['-c', script, 'bash', ...words];
      const { stdout } = await promisify(execFile)('bash', args, { cwd: folder });
      return stdout.trim().split(' ');
    };
    expect(await complete('handbill', 'sh')).toEqual(['share', 'show']);
    expect(await complete('handbill', 'share', 'a.md', '--pa')).toEqual([
      ...['--password', '--passphrase'],
    ]);
    expect(await complete('handbill', 'export', '--o')).toEqual(['--output']);
    expect(await complete('handbill', 'im')).toEqual(['import']);
    expect(await complete('handbill', 'files', '')).toEqual([
      'put',
      'get',
      'ls',
      'rm',
      'help',
      '--help',
    ]);
    expect(await complete('handbill', 'files', 'put', '--f')).toEqual(['--folder']);
    expect(await complete('handbill', 'share', '--audience', 'p')).toEqual(['private', 'people']);
  });

  it.each([
    ['zsh', /compdef _handbill handbill/],
    [
      'fish',
      /^complete -c handbill -n '__fish_seen_subcommand_from files; and not __fish_seen_subcommand_from put get ls rm help' -a put -d 'store files/m,
    ],
  ])('prints a script for %s', async (shell, expected) => {
    const { run } = await prepare();
    expect((await run(['completion', shell])).out).toMatch(expected);
  });
});

it('reads its version from the package', async () => {
  const text = await readFile(join(import.meta.dirname, '../../../infra/cli/package.json'), 'utf8');
  const { version } = JSON.parse(text);
  const { run } = await prepare();
  expect((await run(['--version'])).out.trim()).toBe(version);
});
