import { type Answer, type CallOptions, call } from '../service/call.ts';

const version = '2026-07-28';

/** The `_meta` of a request of the revision 2026-07-28. */
export const meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientInfo': { name: 'Test client', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
} as const;

type Fields = Readonly<Record<string, unknown>>;

const json = { 'content-type': 'application/json' } as const;

/** Sends a body to `POST /mcp` as JSON. */
export const post = (body: unknown, { headers, ...options }: CallOptions = {}): Promise<Answer> =>
  call('POST /mcp', { body, headers: { ...json, ...headers }, ...options });

/** Sends a request as clients did before 2026-07-28. */
export const legacy = (
  token: string | undefined,
  method: string,
  params: Fields = {},
): Promise<Answer> =>
  post(
    { jsonrpc: '2.0', id: 1, method, params },
    { token, headers: { 'mcp-protocol-version': '2025-11-25' } },
  );

/** The headers of a request of the revision 2026-07-28. */
export const modernHeaders = (method: string, name?: unknown): Record<string, string> => ({
  'mcp-protocol-version': version,
  'mcp-method': method,
  ...(typeof name === 'string' && { 'mcp-name': name }),
});

/** Sends a request of the revision 2026-07-28. */
export const modern = (
  token: string | undefined,
  method: string,
  params: Fields = {},
): Promise<Answer> =>
  post(
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
    { token, headers: modernHeaders(method, params['name'] ?? params['uri']) },
  );
