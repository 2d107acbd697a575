import { type GroupName, listGroups } from '../../functions/routes.ts';
import { type Endpoint, listEndpoints, toPattern } from '../../shared/http/fallback.ts';
import type { Host } from '../../shared/http/host.ts';
import type { Route } from '../../shared/http/route.ts';

/** Routes that one function answers. */
export interface KeyedGroup {
  readonly name?: string;
  readonly routes: readonly Route[];
}

/**
 * A route of an HTTP API, such as `ANY /api/users/{proxy+}`, and the group whose function gets its requests.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-routes.html
 */
export interface RouteKey<Group extends KeyedGroup = KeyedGroup> {
  /** As API Gateway names it, also in its access log and in the settings of a stage for single routes. */
  readonly key: string;
  /** A method, or `ANY` for all that no other key of the path has. */
  readonly method: string;
  readonly path: string;
  readonly group: Group;
  /** Whether anyone may call all its endpoints, and neither signing in nor administration needs one of them. */
  readonly isPublic: boolean;
}

/** The key of all requests that match no other. */
export const defaultKey = '$default';

/** Groups that people use to sign in and to administer, though anyone may call their endpoints. */
const neededToSignIn: ReadonlySet<string | undefined> = new Set([
  'auth',
  'site',
  'password',
  'provider-sign-in',
  'assets',
] satisfies GroupName[]);

/** An endpoint, and what its key must say of it. */
type Placed<Group extends KeyedGroup> = Endpoint & Pick<RouteKey<Group>, 'group' | 'isPublic'>;

const createKey = <Group extends KeyedGroup>(
  method: string,
  path: string,
  { group, isPublic }: Placed<Group>,
): RouteKey<Group> => ({ key: `${method} ${path}`, method, path, group, isPublic });

const isGreedy = (path: string): boolean => path.endsWith('+}');

/** Sorts keys by API Gateway's precedence: full matches before greedy ones, fixed segments before others, methods before ANY. */
const rankOf = ({ method, path }: Pick<RouteKey, 'method' | 'path'>): string => {
  const kinds = path.split('/').map((segment) => {
    if (!segment.startsWith('{')) return 0;
    return isGreedy(segment) ? 2 : 1;
  });
  return `${isGreedy(path) ? 1 : 0}${kinds.join('')}${method === 'ANY' ? 1 : 0}`;
};

/** A key that a request matches, with the parameters that its event has. */
export interface Matched<Key> {
  readonly key: Key;
  readonly params: Readonly<Record<string, string>>;
}

/** Creates a function that finds the key of a request by its method and its decoded path, as API Gateway does. */
export const createKeyFinder = <Key extends Pick<RouteKey, 'method' | 'path'>>(
  keys: readonly Key[],
  isUsed: (key: Key) => boolean = () => true,
): ((method: string, path: string) => Matched<Key> | undefined) => {
  const sorted = keys
    .map((key) => ({ key, rank: rankOf(key), pattern: toPattern(key.path) }))
    .sort((a, b) => Number(a.rank > b.rank) - Number(a.rank < b.rank));
  return (method, path) => {
    for (const { key, pattern } of sorted) {
      if (!isUsed(key) || (key.method !== 'ANY' && key.method !== method)) continue;
      const match = pattern.exec(path);
      if (match) return { key, params: { ...match.groups } };
    }
    return undefined;
  };
};

/** Returns what the paths of one subject begin with, such as `/api/users` or `/s`, if more follows. */
const getBase = (path: string): string | undefined => {
  const segments = path.split('/');
  const length = segments[1] === 'api' ? 3 : 2;
  const base = segments.slice(0, length).join('/');
  return segments.length > length && !base.includes('{') ? base : undefined;
};

/** Splits a list by where its items belong, the largest part first. */
const splitByOwner = <Group extends KeyedGroup>(
  endpoints: readonly Placed<Group>[],
): [Placed<Group>, ...Placed<Group>[]][] =>
  [...Map.groupBy(endpoints, ({ group }) => group).values()]
    .flatMap((own) => [...Map.groupBy(own, ({ isPublic }) => isPublic).values()])
    .sort((a, b) => b.length - a.length) as [Placed<Group>, ...Placed<Group>[]][];

/** Returns the keys of one path: for all methods, and for methods that belong elsewhere. */
const createFullKeys = <Group extends KeyedGroup>(
  path: string,
  endpoints: readonly Placed<Group>[],
): RouteKey<Group>[] => {
  const [most, ...others] = splitByOwner(endpoints);
  return [
    ...others.flat().map((endpoint) => createKey(endpoint.method, path, endpoint)),
    ...(most ? [createKey('ANY', path, most[0])] : []),
  ];
};

/** Returns the key of all that is below a base, for who has most of it, if that is more than one path. */
const createGreedyKeys = <Group extends KeyedGroup>(
  base: string,
  endpoints: readonly Placed<Group>[],
): RouteKey<Group>[] => {
  const [most] = splitByOwner(endpoints);
  const isWorth = most && new Set(most.map(({ path }) => path)).size > 1;
  return isWorth ? [createKey('ANY', `${base}/{proxy+}`, most[0])] : [];
};

/**
 * Returns the fewest keys by which each endpoint of a host reaches the function of its group, public ones by keys of their
 * own (decisions.md#addresses). Groups don't share the first segment of their paths, so that most unknown addresses are the
 * small fallback's.
 */
export const createRouteKeys = <Group extends KeyedGroup>(
  groups: readonly Group[],
): RouteKey<Group>[] => {
  const endpoints = groups.flatMap((group) =>
    group.routes.flatMap((route): Placed<Group>[] => {
      const isForAnyone = route.access === 'public' || route.access === 'optional';
      const isPublic = isForAnyone && !neededToSignIn.has(group.name);
      return listEndpoints([route]).map((endpoint) => ({ ...endpoint, group, isPublic }));
    }),
  );
  const byPath = Map.groupBy(endpoints, ({ path }) => path);
  const byBase = Map.groupBy(endpoints, ({ path }) => getBase(path));
  const candidates = [
    ...[...byPath].flatMap(([path, own]) => createFullKeys(path, own)),
    ...[...byBase].flatMap(([base, own]) =>
      base === undefined ? [] : createGreedyKeys(base, own),
    ),
  ];
  const dropped = new Set<RouteKey<Group>>();
  const find = createKeyFinder(candidates, (key) => !dropped.has(key));
  // A template is a path, too, whose segments only parameters match.
  const keyOf = ({ method, path }: Endpoint): RouteKey<Group> | undefined =>
    find(method, path)?.key;
  const leadsRight = (endpoint: Placed<Group>): boolean => {
    const found = keyOf(endpoint);
    return found?.group === endpoint.group && found.isPublic === endpoint.isPublic;
  };
  const current = new Map(endpoints.map((endpoint) => [endpoint, keyOf(endpoint)]));
  for (const candidate of candidates) {
    const own = endpoints.filter((endpoint) => current.get(endpoint) === candidate);
    dropped.add(candidate);
    if (!own.every(leadsRight)) dropped.delete(candidate);
    for (const endpoint of own) current.set(endpoint, keyOf(endpoint));
  }
  return candidates.filter((key) => !dropped.has(key));
};

/** Returns the keys of a host's API, without `$default`. */
export const listRouteKeys = (host: Host) => createRouteKeys(listGroups(host));

/**
 * Returns the keys of a host's API by which anyone reads shares or asks for nothing: all that can be slowed down while
 * signing in, settings and administration go on.
 */
export const listPublicKeys = (host: Host): string[] => [
  ...listRouteKeys(host)
    .filter(({ isPublic }) => isPublic)
    .map(({ key }) => key),
  defaultKey,
];
