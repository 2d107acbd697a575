// Which function gets which request: the keys of the APIs, which are fewer than the endpoints. The stack and the local gateway
// use the same keys; `apis.test.ts` reads them from the template.

import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Group, hosts, listGroups } from '../../functions/routes.ts';
import {
  createKeyFinder,
  createRouteKeys,
  listPublicKeys,
  listRouteKeys,
} from '../../infra/functions/route-keys.ts';
import { listEndpoints } from '../../shared/http/fallback.ts';
import type { Host } from '../../shared/http/host.ts';
import { type Access, type Route, route } from '../../shared/http/route.ts';
import { createRouteFinder } from '../../shared/http/route-table.ts';

const allHosts = Object.keys(hosts) as Host[];

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'];

const nameOf = (key: { readonly group: { readonly name?: string } } | undefined): string =>
  key?.group.name ?? 'fallback';

const isParameter = (segment: string): boolean => segment.startsWith('{');

/** What another group owns in the place of a record, and is like no id: those of shares have 22 characters. */
const ownedByOthers = new Set(['/api/share/requests']);

/** Returns paths that a template matches: each parameter is a number, or what other templates have in its place. */
const samplesOf = (template: string, templates: readonly string[]): string[] => {
  const [, ...segments] = template.split('/');
  let paths = [''];
  for (const segment of segments) {
    paths = paths.flatMap((path) => {
      if (!isParameter(segment)) return [`${path}/${segment}`];
      const others = templates
        .filter((other) => other.startsWith(`${path}/`))
        .map((other) => other.slice(path.length + 1).split('/', 1)[0] ?? '');
      const fixed = new Set(
        others.filter(
          (one) => one !== '' && !isParameter(one) && !ownedByOthers.has(`${path}/${one}`),
        ),
      );
      return ['7', ...fixed].map((one) => `${path}/${one}`);
    });
  }
  return paths;
};

/** Addresses beside a path that may be those of no endpoint. */
const neighboursOf = (path: string): string[] => [
  `${path}/`,
  `${path}/more`,
  `${path}/more/still`,
  `${path}more`,
  `/${path}`,
  path.slice(0, path.lastIndexOf('/')),
  path.toUpperCase(),
];

describe.each(allHosts)('the keys of host %s', (host) => {
  const groups = listGroups(host);
  const routes = groups.flatMap((group) =>
    group.routes.map((one) => ({ method: one.method, path: one.path, group })),
  );
  const templates = [...new Set(routes.map(({ path }) => path))];
  const samples = new Set(templates.flatMap((template) => samplesOf(template, templates)));
  const findRoute = createRouteFinder(routes);
  const keys = listRouteKeys(host);
  const findKey = createKeyFinder(keys);

  /** Tells whether the function that gets a request has a route for it. */
  const isAnswered = (group: Group | undefined, method: string, path: string): boolean =>
    group !== undefined && createRouteFinder(group.routes)(method, path) !== undefined;

  it('lead each method of each endpoint to the function of its group', () => {
    const wrong = [...samples].flatMap((path) =>
      methods.flatMap((method) => {
        const { value: expected } = findRoute(method, path) ?? {};
        if (ownedByOthers.has(path) && expected?.path !== path) return [];
        const found = findKey(method, path)?.key;
        return expected === undefined || nameOf(found) === nameOf(expected)
          ? []
          : [`${method} ${path}: ${nameOf(found)} instead of ${nameOf(expected)}`];
      }),
    );
    expect(samples.size).toBeGreaterThanOrEqual(templates.length);
    expect(wrong).toEqual([]);
  });

  it('lead what is no endpoint to a function that has no route for it, whose fallback answers', () => {
    const others = [...samples].flatMap(neighboursOf).filter((path) => !samples.has(path));
    const wrong = [...new Set([...others, ...samples])].flatMap((path) =>
      methods
        .filter((method) => findRoute(method, path) === undefined)
        .filter((method) => isAnswered(findKey(method, path)?.key.group, method, path))
        .map((method) => `${method} ${path}`),
    );
    expect(others.length).toBeGreaterThan(samples.size);
    expect(wrong).toEqual([]);
  });

  it('lead a request the same way however the precedence of full matches is read', () => {
    const full = keys.filter(({ path }) => !path.endsWith('+}'));
    const ambiguous = [...samples].flatMap((path) =>
      methods
        .map((method) => full.filter((key) => createKeyFinder([key])(method, path)))
        .filter((found) => new Set(found.map(({ group }) => group)).size > 1)
        .filter((found) => new Set(found.map((key) => key.path)).size > 1)
        .map((found) => `${path}: ${found.map(({ key }) => key).join(', ')}`),
    );
    expect(ambiguous).toEqual([]);
  });

  it('are all needed', () => {
    const endpoints = listEndpoints(routes);
    const ledBy = (some: typeof keys) => {
      const find = createKeyFinder(some);
      return endpoints.map(({ method, path }) => {
        const found = find(method, path)?.key;
        return `${nameOf(found)} ${found?.isPublic}`;
      });
    };
    const all = ledBy(keys);
    for (const key of keys) {
      expect(ledBy(keys.filter((other) => other !== key))).not.toEqual(all);
    }
  });

  it('match the list', () => {
    const listed = keys.map(({ key, group, isPublic }) =>
      [key, group.name, ...(isPublic ? ['public'] : [])].join(' | '),
    );
    expect(listed.sort()).toMatchSnapshot();
  });
});

describe('the public keys', () => {
  it('have only endpoints that anyone may call, and none of signing in', () => {
    const open: Access[] = ['public', 'optional'];
    for (const host of allHosts) {
      const publicKeys = new Set(listPublicKeys(host));
      const find = createKeyFinder(listRouteKeys(host));
      const served = listGroups(host).flatMap(({ name, routes }) =>
        routes
          .filter(({ method, path }) => publicKeys.has(find(method, path)?.key.key ?? ''))
          .map(({ access }) => ({ name, access })),
      );
      expect(served.filter(({ access }) => !open.includes(access))).toEqual([]);
      expect(served.map(({ name }) => name)).not.toContain('auth');
    }
  });

  it.each([
    ['GET', '/s/{id}'],
    ['GET', '/api/share'],
    ['POST', '/api/markdown'],
    ['GET', '/api/share/{id}/revisions/{version}/diff'],
  ])('include that of %s %s', (method, path) => {
    const key = createKeyFinder(listRouteKeys('service'))(method, path)?.key;
    expect(listPublicKeys('service')).toContain(key?.key);
  });

  it('include those of requests for nothing, and all of the snippets', () => {
    for (const host of allHosts) expect(listPublicKeys(host)).toContain('$default');
    expect(listPublicKeys('snippets')).toHaveLength(listRouteKeys('snippets').length + 1);
  });

  it.each([
    ['POST', '/api/share'],
    ['PUT', '/api/share/{id}'],
    ['POST', '/api/share/{id}/revisions/{version}/restore'],
    ['POST', '/api/auth/login'],
    ['GET', '/login'],
    ['GET', '/api/settings'],
    ['PUT', '/api/users/{id}'],
    ['GET', '/assets/scripts/{file}'],
  ])('don’t include that of %s %s', (method, path) => {
    const key = createKeyFinder(listRouteKeys('service'))(method, path)?.key;
    expect(listPublicKeys('service')).not.toContain(key?.key);
  });
});

const of = (endpoint: `${Route['method']} /${string}`, access: Access = 'session') =>
  route({
    endpoint,
    access,
    summary: 'One',
    output: z.unknown(),
    handle: async () => ({}),
  } as never);

const keysOf = (groups: Record<string, Route[]>): string[] =>
  createRouteKeys(Object.entries(groups).map(([name, routes]) => ({ name, routes }))).map(
    ({ key, group }) => `${key} | ${group.name}`,
  );

describe('the fewest keys', () => {
  it('are one for a single path, and two for a path and all below it', () => {
    expect(
      keysOf({
        one: [of('GET /api/one'), of('POST /api/one')],
        two: [of('GET /api/two'), of('GET /api/two/{id}'), of('PUT /api/two/{id}/name')],
        three: [of('GET /three/{id}')],
      }),
    ).toEqual([
      'ANY /api/one | one',
      'ANY /api/two | two',
      'ANY /three/{id} | three',
      'ANY /api/two/{proxy+} | two',
    ]);
  });

  it('are by method where a path belongs to two', () => {
    expect(
      keysOf({
        many: [of('GET /a/{id}'), of('PUT /a/{id}'), of('DELETE /a/{id}')],
        few: [of('POST /a/{id}'), of('GET /a/{id}/more')],
      }),
    ).toEqual(['POST /a/{id} | few', 'ANY /a/{id} | many', 'ANY /a/{id}/more | few']);
  });

  it('are none below the root, so that the fallback gets requests for nothing', () => {
    expect(keysOf({ pages: [of('GET /'), of('GET /a'), of('GET /b')] })).toEqual([
      'ANY / | pages',
      'ANY /a | pages',
      'ANY /b | pages',
    ]);
  });
});
