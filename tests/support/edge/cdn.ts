import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { edgeKey, listBehaviors } from '../../../infra/stack/edge/behaviors.ts';
import { viewerCode } from '../../../infra/stack/edge/viewer-code.ts';
import { edgeHeaders } from '../../../shared/http/edge.ts';
import type { Host } from '../../../shared/http/host.ts';
import { edgeSecret } from './edge-secret.ts';

interface Stored {
  readonly until: number;
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

const toRegExp = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);

/** The parts of a request on which a response that is kept for seconds depends, as the template says. */
const toKey = (url: URL, { headers, method }: IncomingMessage): string => {
  const cookies = (headers.cookie ?? '').split(/; */);
  return JSON.stringify([
    method,
    url.pathname,
    edgeKey.queries.map((name) => url.searchParams.get(name)),
    edgeKey.cookies.map((name) => cookies.find((cookie) => cookie.startsWith(`${name}=`))),
    edgeKey.headers.map((name) => headers[name.toLowerCase()]),
    headers['accept-encoding'],
  ]);
};

/** What the code in CloudFront gets of a request, and what it makes of it: another request or a response. */
interface Viewed {
  readonly statusCode?: number;
  readonly headers: Readonly<Record<string, { readonly value: string }>>;
}

/** Runs the code of the template before everything else. Returns its response, if it has one. */
const viewRequest = (url: URL, { headers }: IncomingMessage, serviceUrl: string) => {
  const handle = new Function(`${viewerCode(serviceUrl)}; return handler;`)();
  const toValues = (entries: Iterable<readonly [string, unknown]>) =>
    Object.fromEntries([...entries].map(([name, value]) => [name, { value: String(value) }]));
  const request = {
    uri: url.pathname,
    querystring: toValues(url.searchParams),
    headers: toValues(Object.entries(headers)),
  };
  const viewed: Viewed = handle({ request, viewer: { ip: '' } });
  return viewed.statusCode === undefined ? undefined : viewed;
};

/** How long a CDN may keep a response, in ms. */
const getLifetime = (cacheControl = ''): number => {
  if (/no-store|no-cache|private/.test(cacheControl)) return 0;
  const [, seconds] = cacheControl.match(/s-maxage=(\d+)/) ?? [];
  return Number(seconds ?? cacheControl.match(/max-age=(\d+)/)?.[1] ?? 0) * 1_000;
};

/**
 * Creates a CDN before a host on this machine, with the behaviors of the template. It keeps what it may by the clock of
 * this process, and vouches for the address and host of its clients.
 */
export const createCdn = (host: Host) => {
  const behaviors = listBehaviors(host).map((one) => ({ ...one, path: toRegExp(one.pattern) }));
  const kept = new Map<string, Stored>();
  const cdn = {
    server: undefined as unknown as Server,
    /** The port of the service behind it. */
    originPort: 0,
    /** The URL of the service, to which the CDN before the host of snippets leads. */
    serviceUrl: '',
    /** What it sends as its secret. */
    secret: edgeSecret,
    /** The address of all its clients. */
    viewer: '198.51.100.7',
    /** The requests that reached the service. */
    forwarded: [] as string[],
  };

  const forward = async (incoming: IncomingMessage, body: Buffer): Promise<Stored> => {
    cdn.forwarded.push(`${incoming.method} ${incoming.url}`);
    const { host: viewerHost = '', ...headers } = incoming.headers;
    const outgoing = httpRequest({
      host: '127.0.0.1',
      port: cdn.originPort,
      path: incoming.url,
      method: incoming.method,
      headers: {
        ...headers,
        [edgeHeaders.secret]: cdn.secret,
        [edgeHeaders.address]: cdn.viewer,
        [edgeHeaders.host]: viewerHost,
      },
    });
    outgoing.end(body);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    const { statusCode: status = 0, headers: received } = response;
    const lifetime = status === 200 ? getLifetime(received['cache-control']) : 0;
    const content = await buffer(response);
    return { until: Date.now() + lifetime, status, headers: received, body: content };
  };

  cdn.server = createServer(async (incoming, response) => {
    const url = new URL(`http://localhost${incoming.url}`);
    const viewed = host === 'snippets' && viewRequest(url, incoming, cdn.serviceUrl);
    if (viewed) {
      const sent = Object.entries(viewed.headers).map(([name, { value }]) => [name, value]);
      return void response.writeHead(viewed.statusCode ?? 0, Object.fromEntries(sent)).end();
    }
    const cache = behaviors.find(({ path }) => path.test(url.pathname))?.cache;
    const key = cache === 'for-good' ? url.pathname : toKey(url, incoming);
    const known = cache && kept.get(key);
    const stored =
      known && Date.now() < known.until ? known : await forward(incoming, await buffer(incoming));
    if (cache && incoming.method === 'GET') kept.set(key, stored);
    const isUnchanged =
      stored.status === 200 &&
      incoming.headers['if-none-match'] !== undefined &&
      incoming.headers['if-none-match'] === stored.headers.etag;
    const { connection: _, 'transfer-encoding': __, ...headers } = stored.headers;
    response.writeHead(isUnchanged ? 304 : stored.status, headers);
    response.end(isUnchanged ? undefined : stored.body);
  });
  return cdn;
};
