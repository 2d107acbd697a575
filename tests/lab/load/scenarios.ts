import type { Request } from 'autocannon';
import { document, type Site, share } from './site.ts';

/** Requests that are repeated during a run. */
export interface Scenario {
  readonly name: string;
  readonly connections: number;
  /** Requests that each connection sends in sequence. */
  requests(site: Site): readonly Request[];
}

const connections = 50;

const json = { 'content-type': 'application/json' };
const by = ({ token }: Site) => ({ authorization: `Bearer ${token}` });

const health = (): Request => ({ method: 'GET', path: '/api/health' });

const viewOf = (id: string): Request => ({ method: 'GET', path: `/api/share?id=${id}` });

const list = (site: Site): Request => ({
  method: 'GET',
  path: '/api/documents',
  headers: by(site),
});

const logins = (site: Site): readonly Request[] =>
  site.accounts.map((account) => ({
    method: 'POST',
    path: '/api/auth/login',
    headers: json,
    body: JSON.stringify(account),
  }));

const create = (site: Site, path: string, body: object): Request => ({
  method: 'POST',
  path,
  headers: { ...json, ...by(site) },
  body: JSON.stringify(body),
});

/** Scenarios that run separately, as fast as the service responds. */
export const scenarios: readonly Scenario[] = [
  { name: 'health', connections, requests: () => [health()] },
  {
    name: 'view',
    connections,
    requests: ({ unlimitedShare }) => [viewOf(unlimitedShare)],
  },
  {
    name: 'view-limited',
    connections,
    requests: ({ limitedShare }) => [viewOf(limitedShare)],
  },
  {
    name: 'share-page',
    connections,
    requests: ({ unlimitedShare }) => [{ method: 'GET', path: `/s/${unlimitedShare}` }],
  },
  // A password's hash takes a core for a third of a second: more connections would only wait for each other.
  { name: 'login', connections: 8, requests: logins },
  { name: 'list', connections, requests: (site) => [list(site)] },
  {
    name: 'create-share',
    connections,
    requests: (site) => [create(site, '/api/share', share)],
  },
  {
    name: 'create-document',
    connections,
    requests: (site) => [create(site, '/api/documents', document)],
  },
];

interface Made {
  share?: string;
  document?: number;
  session?: string;
}

/** Creates a request that depends on an earlier response of the same round. */
const about = (
  name: keyof Made,
  request: Request,
  path: (made: string) => string,
  headers: (made: string) => Record<string, string>,
): Request => ({
  ...request,
  path: '/',
  setupRequest: (blank, context) => {
    const made = String((context as Made)[name]);
    return { ...blank, path: path(made), headers: { ...blank.headers, ...headers(made) } };
  },
});

/** Stores a part of a response for later requests. */
const keeping = (name: keyof Made, request: Request, find: (body: Answer) => unknown): Request => ({
  ...request,
  onResponse: (status, body, context) => {
    if (status < 300) Object.assign(context, { [name]: find(JSON.parse(body) as Answer) });
  },
});

interface Answer {
  readonly id: string;
  readonly accessToken: string;
  readonly data: { readonly id: number };
}

/** Runs a round of all requests and deletes the records that it creates, so that only logs and counters grow. */
export const mixed: Scenario = {
  name: 'mixed',
  connections: 8,
  requests: (site) => {
    const remove = (name: keyof Made, path: string) =>
      about(
        name,
        { method: 'DELETE' },
        (id) => `${path}/${id}`,
        () => by(site),
      );
    const [login] = logins(site);
    return [
      health(),
      keeping('share', create(site, '/api/share', share), ({ id }) => id),
      viewOf(site.unlimitedShare),
      keeping('document', create(site, '/api/documents', document), ({ data }) => data.id),
      list(site),
      viewOf(site.limitedShare),
      ...(login ? [keeping('session', login, ({ accessToken }) => accessToken)] : []),
      about(
        'session',
        { method: 'POST', body: '{}' },
        () => '/api/auth/logout',
        (token) => ({ ...json, authorization: `Bearer ${token}` }),
      ),
      remove('share', '/api/share'),
      remove('document', '/api/documents'),
      remove('document', '/api/documents/trash'),
      viewOf(site.unlimitedShare),
    ];
  },
};
