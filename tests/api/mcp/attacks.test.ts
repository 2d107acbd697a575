import { describe, expect, it } from 'vitest';
import { meta, modern, modernHeaders, post } from '../../support/mcp/messages.ts';
import { useTable } from '../../support/table/table.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();

const { user } = usePeople({ user: 'user' });

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' } as const;

/** Nests a value in so many arrays, as text: few functions could walk it. */
const nested = (levels: number): string => `${'['.repeat(levels)}1${']'.repeat(levels)}`;

const withArguments = (json: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"share_create","arguments":${json}}}`;

describe('headers and body', () => {
  const params = { name: 'share_create', arguments: {}, _meta: meta };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const agreeing = modernHeaders('tools/call', 'share_create');
  const send = ({ ...headers }: Record<string, string>, body: object = message) =>
    post(body, { token: user.token, headers });
  const without = (name: string) =>
    Object.fromEntries(Object.entries(agreeing).filter(([one]) => one !== name));

  it.each([
    [
      'MCP-Protocol-Version must be the version in params._meta',
      { 'mcp-protocol-version': '2025-11-25' },
    ],
    ['Mcp-Method must be the method of the body', { 'mcp-method': 'tools/list' }],
    ['Mcp-Method must be the method of the body', { 'mcp-method': 'TOOLS/CALL' }],
    ['Mcp-Name must be params.name of the body', { 'mcp-name': 'share_read' }],
    ['Mcp-Name must be params.name of the body', { 'mcp-name': '' }],
    ['Mcp-Name must be params.name of the body', { 'mcp-name': 'share_create, share_read' }],
    ['Mcp-Name must be params.name of the body', { 'mcp-name': '=?base64?c2hhcmVfcmVhZA==?=' }],
    ['Mcp-Name has invalid Base64', { 'mcp-name': '=?base64?c2hhcmVfY3JlYXRl!?=' }],
    ['Mcp-Name has invalid Base64', { 'mcp-name': '=?base64?gICA?=' }],
  ])('that disagree get “%s” for %j', async (problem, changed) => {
    const { status, body } = await send({ ...agreeing, ...changed });
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32_020, message: `Header mismatch: ${problem}.` },
      },
    });
  });

  it.each([
    ['mcp-protocol-version', 'MCP-Protocol-Version'],
    ['mcp-method', 'Mcp-Method'],
    ['mcp-name', 'Mcp-Name'],
  ])('are refused without %s', async (name, shown) => {
    const { status, body } = await send(without(name));
    expect([status, body.error]).toEqual([
      400,
      { code: -32_020, message: `Header mismatch: the header ${shown} is missing.` },
    ]);
  });

  it('agree with spaces around a value, and with what Base64 says', async () => {
    const uri = 'handbill://share/ü';
    const read = { ...message, method: 'resources/read', params: { uri, _meta: meta } };
    const encoded = `=?base64?${Buffer.from(uri).toString('base64')}?=`;
    const { body } = await send(modernHeaders('resources/read', ` ${encoded} `), read);
    expect(body.error.message).toBe('Invalid params: uri must be handbill://share/{id}.');
  });

  it('disagree where a beginning of a session names a version without sessions', async () => {
    const begin = { ...ping, method: 'initialize', params: { protocolVersion: '2025-11-25' } };
    const headers = { 'mcp-protocol-version': '2026-07-28' };
    const { status, body } = await send(headers, begin);
    expect([status, body.error.code]).toEqual([400, -32_020]);
  });
});

describe('a message', () => {
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    post(body, { token: user.token, headers });

  it.each([
    [[], 'batches are not supported; send one message a request'],
    [[ping, ping], 'batches are not supported; send one message a request'],
    ['1', 'the body must be a JSON-RPC message'],
    ['null', 'the body must be a JSON-RPC message'],
    ['"ping"', 'the body must be a JSON-RPC message'],
    ['', 'jsonrpc must be "2.0"'],
    [{ id: 1, method: 'ping' }, 'jsonrpc must be "2.0"'],
    [{ ...ping, jsonrpc: '1.0' }, 'jsonrpc must be "2.0"'],
    [{ jsonrpc: '2.0', id: 1 }, 'method must have 1 to 256 characters'],
    [{ ...ping, method: '' }, 'method must have 1 to 256 characters'],
    [{ ...ping, method: 1 }, 'method must have 1 to 256 characters'],
    [{ ...ping, method: 'x'.repeat(257) }, 'method must have 1 to 256 characters'],
    [{ ...ping, id: null }, 'id must be an integer or a text of at most 256 characters'],
    [{ ...ping, id: 1.5 }, 'id must be an integer or a text of at most 256 characters'],
    [{ ...ping, id: {} }, 'id must be an integer or a text of at most 256 characters'],
    [{ ...ping, id: 'x'.repeat(257) }, 'id must be an integer or a text of at most 256 characters'],
    [{ ...ping, params: [] }, 'params must be an object'],
    [{ ...ping, params: 'x' }, 'params must be an object'],
    [
      { jsonrpc: '2.0', id: 1, result: {} },
      'responses are not accepted, because the service sends no requests',
    ],
    [
      { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } },
      'responses are not accepted, because the service sends no requests',
    ],
  ])('%j is refused: %s', async (body, problem) => {
    const answer = await send(body);
    expect([answer.status, answer.body.error]).toEqual([
      400,
      { code: -32_600, message: `Invalid request: ${problem}.` },
    ]);
  });

  it.each(['{', '{"jsonrpc":"2.0",}', 'jsonrpc=2.0', '\uFEFF{}'])(
    'that is no JSON is refused: %s',
    async (text) => {
      const { status, body } = await send(text);
      expect({ status, body }).toEqual({
        status: 400,
        body: {
          jsonrpc: '2.0',
          error: {
            code: -32_700,
            message: 'Parse error: the body must be valid JSON in UTF-8.',
            data: { code: 'VALIDATION_ERROR', requestId: expect.any(String) },
          },
        },
      });
    },
  );

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''])(
    'of the type “%s” is refused',
    async (type) => {
      const { status, body } = await send(ping, { 'content-type': type });
      expect([status, body.error.message]).toEqual([
        400,
        'Invalid request: Content-Type must be application/json.',
      ]);
    },
  );

  it('may name an encoding', async () => {
    const headers = { 'content-type': 'Application/JSON ; charset=utf-8' };
    expect(await send(ping, headers)).toMatchObject({ status: 200 });
  });

  it.each([32, 33, 100_000])('may be nested, but not %i levels and more', async (levels) => {
    const { status, body } = await send(Buffer.from(withArguments(nested(levels))));
    expect([status, body.error]).toEqual([
      400,
      {
        code: -32_600,
        message: 'Invalid request: params must not be nested more than 32 levels deep.',
      },
    ]);
  });

  it('of 10 MB is refused with what to do instead', async () => {
    const { status, body } = await send(
      withArguments(JSON.stringify({ content: 'x'.repeat(10 * 1024 * 1024) })),
    );
    expect([status, body.id, body.error]).toEqual([
      413,
      1,
      {
        code: -32_600,
        message:
          'Invalid request: the message is larger than 4 MB. Upload large files with the handbill command.',
        data: { maxBytes: 4 * 1024 * 1024 },
      },
    ]);
  });

  it('reaches no property of an object', async () => {
    for (const method of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(await modern(user.token, method)).toMatchObject({ status: 404 });
    }
    const polluting = '{"__proto__":{"isApp":true},"constructor":{"prototype":{"isApp":true}}}';
    await send(withArguments(polluting));
    expect('isApp' in {}).toBe(false);
  });

  it('gets its id back where it has one', async () => {
    for (const id of [0, -1, 'a', '', Number.MAX_SAFE_INTEGER]) {
      expect((await send({ ...ping, id })).body).toMatchObject({ id, result: {} });
      expect((await send({ ...ping, id, method: 'none' })).body).toMatchObject({ id });
    }
  });
});
