import { hosts, listRoutes } from '../../../functions/routes.ts';
import { themeCookieName } from '../../../functions/web/layout/theme.ts';
import { destination } from '../../../functions/web/snippet/top-level.ts';
import { sessionCookieName } from '../../../shared/auth/session-cookie.ts';
import type { EdgeCache } from '../../../shared/http/edge.ts';
import type { Host } from '../../../shared/http/host.ts';
import type { Route } from '../../../shared/http/route.ts';

/** How the CDN treats the paths of a pattern. Without `cache` it keeps nothing. */
export interface EdgeBehavior {
  /** A path in which `*` matches any characters, slashes included. */
  readonly pattern: string;
  readonly cache: EdgeCache | undefined;
}

const toPattern = (path: string): string => path.replaceAll(/\{\w+\+?\}/g, '*');

const countSegments = (path: string): number => path.split('/').length;

/** Whether a path of a route may match a pattern with as many segments. */
const mayMatch = (pattern: string, path: string): boolean =>
  countSegments(path) === countSegments(pattern) &&
  pattern.split('/').every((part, at) => part === '*' || part === path.split('/')[at]);

/**
 * Lists how the CDN treats the paths of a host, as its routes say; the first match applies, and to all other paths none. A
 * pattern also matches longer paths and those of other routes, so these come first.
 */
export const listBehaviors = (host: Host): readonly EdgeBehavior[] => {
  const routes = listRoutes(host);
  const ofRoute = ({ path, cache }: Route): readonly EdgeBehavior[] => {
    const pattern = toPattern(path);
    // Nothing else is below either.
    if (cache === 'for-good' || path.endsWith('+}')) return [{ pattern, cache }];
    const others = routes.filter((one) => !one.cache && mayMatch(pattern, one.path));
    const uncached = [`${pattern}/*`, ...others.map((one) => toPattern(one.path))];
    return [
      ...[...new Set(uncached)].map((one) => ({ pattern: one, cache: undefined })),
      { pattern, cache },
    ];
  };
  // Of two that match, the longer path is meant.
  const kept = routes.filter(({ cache }) => cache);
  const sorted = kept.toSorted((a, b) => countSegments(b.path) - countSegments(a.path));
  const all = sorted.flatMap(ofRoute);
  return all.filter((one, at) => all.findIndex(({ pattern }) => pattern === one.pattern) === at);
};

const keptForSeconds = (Object.keys(hosts) as Host[])
  .flatMap(listRoutes)
  .filter(({ cache }) => cache === 'for-seconds');

/** Everything but the path on which a response that is kept for seconds depends: each combination is kept apart. */
export const edgeKey = {
  queries: [...new Set(keptForSeconds.flatMap(({ query }) => Object.keys(query?.shape ?? {})))],
  cookies: [sessionCookieName, themeCookieName],
  // The gateway responds to `Origin` with the rules of CORS.
  // A browser that opens a page of a share by itself gets another response than a frame.
  headers: ['Authorization', 'Origin', destination],
} as const;
