// `handbill mcp` as a process, between a client that the test plays and a service that does what the test says.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createShell } from '../../support/cli/handbill.ts';
import { startAssistant } from '../../support/cli/mcp.ts';
import { temporaryFolder } from '../../support/run/process.ts';
import { type FakeRequest, useFakeService } from './fake-service.ts';

const service = useFakeService();

interface Received {
  readonly id?: string | number;
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of the parameters
  readonly params?: any;
}

type Reply = (message: Received, request: FakeRequest) => void;

/** Lets the service answer the messages of `POST /mcp`, and returns those that came. */
const serve = (reply: Reply): Received[] => {
  const received: Received[] = [];
  service.respond((request) => {
    void request.read().then((body) => {
      const message: Received = JSON.parse(body.toString() || '{}');
      received.push(message);
      reply(message, request);
    });
  });
  return received;
};

const result = ({ id }: Received, value: object) => ({ jsonrpc: '2.0', id, result: value });

const echo: Reply = (message, { answer }) => answer(200, result(message, { was: message.method }));

const start = async (args: readonly string[] = [], token = 'hb_token') => {
  const folder = await temporaryFolder();
  const home = await temporaryFolder();
  const env = { HANDBILL_URL: service.url, ...(token && { HANDBILL_TOKEN: token }) };
  return { home, ...startAssistant({ folder, home, env, args }) };
};

const share = {
  name: 'share_create',
  description: 'Publishes.',
  annotations: { readOnlyHint: false },
  inputSchema: {
    type: 'object',
    properties: { content: {}, language: {}, title: {} },
    required: ['content', 'language'],
  },
};
const list = { name: 'share_list', annotations: { readOnlyHint: true }, inputSchema: {} };

describe('handbill mcp', () => {
  it('repeats in headers what a message says, and sends the token', async () => {
    serve(echo);
    const { ask, end } = await start();
    await ask('tools/call', { name: 'share_list' });
    await ask('resources/read', { uri: 'handbill://share/é' });
    expect(service.received().map(({ line, headers }) => [line, headers])).toEqual([
      [
        'POST /mcp',
        expect.objectContaining({
          authorization: 'Bearer hb_token',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'share_list',
        }),
      ],
      [
        'POST /mcp',
        expect.objectContaining({ 'mcp-name': '=?base64?aGFuZGJpbGw6Ly9zaGFyZS/DqQ==?=' }),
      ],
    ]);
    expect(await end()).toEqual({ code: 0, err: '' });
  });

  it('keeps the version that initialize has agreed on', async () => {
    serve((message, { answer, response }) => {
      if (message.id === undefined) response.writeHead(202).end();
      else answer(200, result(message, { protocolVersion: '2025-06-18' }));
    });
    const { write, wait, lines, end } = await start();
    write(
      '{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-11-25"}}',
    );
    await wait('a');
    write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    write('{"jsonrpc":"2.0","id":0,"method":"ping"}');
    await end();
    expect(lines.map(({ id }) => id)).toEqual(['a', 0]);
    const versions = service.received().map(({ headers }) => headers['mcp-protocol-version']);
    expect(versions).toEqual([undefined, '2025-06-18', '2025-06-18']);
    expect(service.received().some(({ headers }) => 'mcp-method' in headers)).toBe(false);
  });

  it('passes on no request of a service', async () => {
    const more = { method: 'sampling/createMessage', params: { messages: [] } };
    serve((message, { answer }) => answer(200, { ...result(message, { was: 1 }), ...more }));
    const { ask, end } = await start();
    const { id, ...response } = await ask('ping');
    expect(response).toEqual({ jsonrpc: '2.0', result: { was: 1 } });
    await end();
  });

  it('adds a path to tools that take content', async () => {
    serve((message, { answer }) => answer(200, result(message, { tools: [share, list] })));
    const { ask, end } = await start();
    const { tools } = (await ask('tools/list')).result;
    expect(tools).toEqual([
      {
        ...share,
        description: expect.stringMatching(/^Publishes\. With `path`, a file, folder or ZIP /),
        inputSchema: {
          type: 'object',
          properties: expect.objectContaining({
            content: {},
            path: expect.objectContaining({ type: 'string' }),
            main: expect.objectContaining({ type: 'string' }),
          }),
          required: [],
        },
      },
      list,
    ]);
    await end();
  });

  it.each([
    ['no JSON', '{', -32_700, null],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32_600, null],
    ['another version', '{"jsonrpc":"1.0","id":77,"method":"ping"}', -32_600, 77],
    ['no method', '{"jsonrpc":"2.0","id":77,"method":7}', -32_600, 77],
    ['an id that is none', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32_600, null],
    ['parameters in a list', '{"jsonrpc":"2.0","id":77,"method":"ping","params":[]}', -32_600, 77],
    ['more than 8 MB', `"${'x'.repeat(8 * 1024 * 1024)}"`, -32_600, null],
  ])('responds to %s with an error, and goes on', async (_, line, code, id) => {
    const received = serve(echo);
    const { write, ask, lines, end } = await start();
    write(line);
    write('');
    write('{"jsonrpc":"2.0","id":77,"result":{}}');
    await ask('ping');
    expect(lines.find(({ error }) => error)).toMatchObject({ id, error: { code } });
    expect(received).toHaveLength(1);
    expect(await end()).toMatchObject({ code: 0 });
  });

  const envelope = (code: string, message: string) => ({
    success: false,
    error: { code, message },
  });
  it.each([
    [401, envelope('UNAUTHORIZED', 'Sign in.'), 'Run handbill login, or set HANDBILL_TOKEN'],
    [403, envelope('FORBIDDEN', 'This token may not.'), 'This token may not.'],
    [404, envelope('NOT_FOUND', 'Not found.'), 'has no door for assistants'],
    [413, {}, 'Send files by their `path` instead.'],
    [500, envelope('INTERNAL_ERROR', 'Something went wrong.'), 'Something went wrong.'],
    [200, { data: 1 }, 'did not respond in JSON-RPC'],
    [200, { jsonrpc: '2.0', id: 1, result: 7 }, 'did not respond in JSON-RPC'],
  ])('says what to do about %s %j', async (status, body, text) => {
    serve((_, { answer }) => answer(status, body));
    const { ask, end } = await start();
    const { error } = await ask('tools/call', { name: 'share_create' });
    expect(error?.message).toContain(text);
    await end();
  });

  it('passes errors of the protocol on', async () => {
    const error = { code: -32_602, message: 'Invalid title.', data: { field: 'title' } };
    serve((_, { answer }) => answer(400, { jsonrpc: '2.0', id: null, error }));
    const { ask, end } = await start();
    expect(await ask('ping')).toEqual({ jsonrpc: '2.0', id: 1, error });
    await end();
  });

  it('repeats what reads, never what may have changed something', async () => {
    const received = serve((message, { answer, request }) => {
      const count = received.filter(({ method }) => method === message.method).length;
      if (message.method === 'tools/list') answer(200, result(message, { tools: [share, list] }));
      else if (message.params.name === 'share_list' && count > 1)
        echo(message, { answer } as FakeRequest);
      else request.socket.destroy();
    });
    const { ask, call, end } = await start();
    await ask('tools/list');
    expect(await call('share_list')).toEqual({ was: 'tools/call' });
    expect(await call('share_create')).toEqual({
      failed: expect.objectContaining({ message: `Can’t reach ${service.url}.` }),
    });
    expect(received.map(({ params }) => params.name)).toEqual([
      undefined,
      'share_list',
      'share_list',
      'share_create',
    ]);
    await end();
  });

  it('sends eight at once, and more as those are done', async () => {
    const held: (() => void)[] = [];
    let reached = () => {};
    const eight = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const received = serve((message, request) => {
      held.push(() => echo(message, request));
      if (held.length === 8) reached();
    });
    const { ask, lines, end } = await start();
    const all = Array.from({ length: 50 }, () => ask('ping'));
    await eight;
    // 8 are sent, 32 wait, the others are refused at once.
    await Promise.all(all.slice(40));
    expect(received).toHaveLength(8);
    expect(lines.every(({ error }) => error?.message.startsWith('Too many requests'))).toBe(true);
    serve(echo);
    for (const release of held) release();
    const done = await Promise.all(all.slice(0, 40));
    expect(done.every(({ result: found }) => found.was === 'ping')).toBe(true);
    await end();
  });

  it('ends a request that is cancelled, without a response', async () => {
    let came = () => {};
    const arrived = new Promise<void>((resolve) => {
      came = resolve;
    });
    let closed: Promise<unknown> = Promise.resolve();
    serve((message, { request, answer }) => {
      if (message.id !== 'slow') return answer(200, result(message, {}));
      closed = new Promise((resolve) => request.socket.on('close', resolve));
      came();
    });
    const { write, ask, lines, end } = await start();
    write('{"jsonrpc":"2.0","id":"slow","method":"ping"}');
    await arrived;
    write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"slow"}}');
    await closed;
    await ask('ping');
    expect(lines.map(({ id }) => id)).toEqual([1]);
    await end();
  });

  it('finishes what it was asked when the input ends', async () => {
    serve(echo);
    const folder = await temporaryFolder();
    const ran = await createShell(folder).run(['mcp'], {
      input: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      env: { HANDBILL_URL: service.url, HANDBILL_TOKEN: 'hb_token' },
    });
    expect(ran).toEqual({
      code: 0,
      out: '{"jsonrpc":"2.0","id":1,"result":{"was":"ping"}}\n',
      err: '',
    });
  });

  it('ends at SIGTERM', async () => {
    serve(() => {});
    const { child, ask, closed, lines } = await start();
    void ask('ping');
    await expect.poll(() => service.received().length).toBe(1);
    child.kill('SIGTERM');
    expect(await closed()).toEqual({ code: 130, err: 'Interrupted.\n' });
    expect(lines).toEqual([]);
  });

  it('says to sign in on both outputs, and needs no restart then', async () => {
    serve(echo);
    const { home, ask, end } = await start([], '');
    const { error } = await ask('ping');
    expect(error?.message).toBe(
      `Not signed in at ${service.url}. Run handbill login, or set HANDBILL_TOKEN.`,
    );
    const config = join(home, '.config/handbill/config.json');
    await mkdir(dirname(config), { recursive: true });
    await writeFile(config, JSON.stringify({ url: service.url, token: 'hb_kept' }));
    expect((await ask('ping')).result).toEqual({ was: 'ping' });
    expect((await end()).err).toBe(`Not signed in at ${service.url}: run handbill login.\n`);
  });
});

describe('handbill mcp --check', () => {
  const check = async () => {
    const { run } = createShell(await temporaryFolder());
    return run(['mcp', '--check'], {
      env: { HANDBILL_URL: service.url, HANDBILL_TOKEN: 'hb_token' },
    });
  };

  it('says who is connected, and how many tools there are', async () => {
    serve((message, { answer, line }) => {
      if (line === 'GET /api/auth/me') {
        answer(200, { success: true, data: { name: 'Maria Keller' } });
      } else answer(200, result(message, { tools: Array(9).fill(list) }));
    });
    expect(await check()).toEqual({
      code: 0,
      out: 'Connected as Maria Keller. 9 tools.\n',
      err: '',
    });
  });

  it('says it for a token that may not read the profile, too', async () => {
    serve((message, { answer, line }) => {
      if (line === 'GET /api/auth/me') {
        answer(403, { success: false, error: { code: 'FORBIDDEN' } });
      } else {
        const _meta = { 'handbill/user': 'Maria Keller' };
        answer(200, result(message, { tools: [list], _meta }));
      }
    });
    expect(await check()).toMatchObject({ code: 0, out: 'Connected as Maria Keller. 1 tool.\n' });
  });

  it('exits as other commands do', async () => {
    serve((_, { answer }) => answer(401, { success: false, error: { code: 'UNAUTHORIZED' } }));
    expect(await check()).toMatchObject({ code: 1, out: '' });
    const { run } = createShell(await temporaryFolder());
    const env = { HANDBILL_URL: 'http://127.0.0.1:1', HANDBILL_TOKEN: 'hb_token' };
    expect(await run(['mcp', '--check'], { env })).toEqual({
      code: 3,
      out: '',
      err: 'Can’t reach http://127.0.0.1:1.\n',
    });
    expect(await run(['mcp', '--root', 'nowhere'], { env })).toEqual({
      code: 2,
      out: '',
      err: '--root nowhere is no folder.\n',
    });
  });
});

describe('handbill skill install', () => {
  const skill = '---\nname: handbill\n---\n# Publish\n';
  const install = async (folder: string, ...args: readonly string[]) =>
    createShell(folder).run(['skill', 'install', ...args], { env: { HANDBILL_URL: service.url } });

  const serveSkill = (text: string, status = 200): void =>
    service.respond(({ response }) => void response.writeHead(status).end(text));

  it.each([
    [[], '.claude/skills'],
    [['--for', 'codex'], '.agents/skills'],
    [['--for', 'cursor', '--project'], '.cursor/skills'],
    [['--for', 'vscode'], '.copilot/skills'],
    [['--for', 'vscode', '--project'], '.github/skills'],
  ])('writes it where %j reads it', async (args, where) => {
    serveSkill(skill);
    const folder = await temporaryFolder();
    const { code, out } = await install(folder, ...args);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^Wrote .*${where}/handbill/SKILL.md\n$`)),
    ]);
    expect(await readFile(join(folder, where, 'handbill/SKILL.md'), 'utf8')).toBe(skill);
    expect(service.received()).toMatchObject([{ line: 'GET /skill.md' }]);
  });

  it('overwrites no other file unless it is told to', async () => {
    serveSkill(skill);
    const folder = await temporaryFolder();
    const file = join(folder, '.claude/skills/handbill/SKILL.md');
    await install(folder);
    expect(await install(folder)).toMatchObject({ code: 0, out: `${file} is up to date.\n` });
    await writeFile(file, `${skill}Mine\n`);
    expect(await install(folder)).toEqual({
      code: 1,
      out: '',
      err: `${file} is another version, or was changed: --force replaces it.\n`,
    });
    expect(await readFile(file, 'utf8')).toBe(`${skill}Mine\n`);
    expect(await install(folder, '--force')).toMatchObject({ code: 0, out: `Replaced ${file}\n` });
  });

  it('writes nothing that is no skill', async () => {
    const folder = await temporaryFolder();
    for (const [text, status] of [
      ['<html>', 200],
      [skill, 404],
      [`---\n${'x'.repeat(64 * 1024)}`, 200],
    ] as const) {
      serveSkill(text, status);
      expect(await install(folder)).toMatchObject({
        code: 1,
        err: expect.stringContaining('has no skill'),
      });
    }
  });
});
