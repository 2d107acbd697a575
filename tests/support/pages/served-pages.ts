import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { listGroups } from '../../../functions/routes.ts';
import { createGateway } from '../../../infra/local/gateway.ts';
import type { Host } from '../../../shared/http/host.ts';
import { useServer } from '../run/server.ts';
import { call } from '../service/call.ts';
import { form } from '../service/form.ts';
import { newPerson, type Person } from '../users/test-users.ts';

/** A response with its bytes as sent. */
export interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The decoded body. */
  readonly text: string;
}

const decode = (bytes: Buffer, encoding: string | undefined): Buffer => {
  if (encoding === 'br') return brotliDecompressSync(bytes);
  return encoding === 'gzip' ? gunzipSync(bytes) : bytes;
};

const serveHost = (host: Host) => {
  const server = useServer(createGateway(listGroups(host), () => undefined));
  return async (
    path: string,
    headers: Record<string, string> = {},
    method = 'GET',
  ): Promise<Got> => {
    const { port } = server;
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers });
    request.end();
    const [response] = await once(request, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const text = method === 'HEAD' ? '' : decode(bytes, response.headers['content-encoding']);
    return { status: response.statusCode, headers: response.headers, bytes, text: String(text) };
  };
};

/** Serves both hosts by their gateways. */
export const usePages = () => ({
  service: serveHost('service'),
  snippets: serveHost('snippets'),
});

/** Creates a share, of a new person by default. */
export const share = async (body: Record<string, unknown>, person?: Person) => {
  const { token } = person ?? (await newPerson());
  const response = await call('POST /api/share', { token, body });
  return { id: response.body.id as string, token };
};

/** Opens a share and returns the Location, or an empty string after an error. */
export const open = async (id: string, password?: string): Promise<string> => {
  const { headers } = await call('POST /s/{id}/open', {
    params: { id },
    ...form(password === undefined ? {} : { password }),
  });
  return headers['location'] ?? '';
};

/** Long enough to be compressed. */
export const long = 'A paragraph that is long enough to be worth compressing. '.repeat(40);
export const markdown = { content: long, language: 'markdown' };
