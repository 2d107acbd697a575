import { listRoutes } from '../../../functions/routes.ts';
import type { Exchange } from './properties.ts';
import { toSent } from './request.ts';
import type { Send } from './send.ts';

const addresses = new Map<string, Set<string>>();
for (const { method, path } of [...listRoutes('service'), ...listRoutes('snippets')]) {
  const methods = addresses.get(path) ?? new Set<string>();
  addresses.set(path, methods.add(method));
}

/** Repeats a GET as HEAD: status and content type must be equal, and the body empty. */
export const checkHead = async (send: Send, exchange: Exchange): Promise<string | undefined> => {
  const { request, caller: client, answer: response } = exchange;
  if (request.operation.method !== 'GET') return undefined;
  const head = await send({ ...toSent(request, client.token), method: 'HEAD' });
  if (head.text !== '') return 'HEAD is answered with a body';
  const wanted = `${response.status} ${response.headers['content-type']}`;
  const got = `${head.status} ${head.headers['content-type']}`;
  // The GET used the last view.
  if (head.status === 410 && response.text.includes('"viewsLeft":0,')) return undefined;
  return got === wanted ? undefined : `HEAD is answered ${got}, GET ${wanted}`;
};

/** Calls the same path with an unsupported method. */
export const checkOtherMethod = async (
  send: Send,
  { request, caller: client }: Exchange,
): Promise<string | undefined> => {
  const { path } = request.operation;
  const offered = addresses.get(path) ?? new Set();
  // Another route's pattern may match a path with parameters.
  if (path.includes('{')) return undefined;
  const others = ['PATCH', 'PUT', 'DELETE', 'POST', 'TRACE'].filter((each) => !offered.has(each));
  for (const method of others.slice(0, 2)) {
    const { status, headers } = await send({ ...toSent(request, client.token), method });
    const allowed = new Set((headers['allow'] ?? '').split(', '));
    if (status !== 405) return `${method} is answered ${status}, not 405`;
    const missing = [...offered].find((each) => !allowed.has(each));
    if (missing) return `Allow leaves ${missing} out`;
  }
  return undefined;
};
