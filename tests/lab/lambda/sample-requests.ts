import { hosts, listGroups, listRoutes } from '../../../functions/routes.ts';
import type { Host } from '../../../shared/http/host.ts';
import type { Route } from '../../../shared/http/route.ts';
import type { TypicalCalls } from '../../support/sample-requests/sample-request.ts';

const routes = (Object.keys(hosts) as Host[]).flatMap(listRoutes);

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

export const endpointOf = (call: string): string => call.replace(/ \(.*\)$/, '');

/** Returns the route of a typical call. */
export const routeOf = (call: string): Route | undefined =>
  routes.find((route) => nameOf(route) === endpointOf(call));

/** Returns the routes without a typical call. */
export const uncalled = (calls: TypicalCalls): string[] => {
  const known = new Set(Object.keys(calls).map(endpointOf));
  return routes.map(nameOf).filter((name) => !known.has(name));
};

/** Returns the group that serves a route. */
export const groupOf = (route: Route | undefined): string | undefined =>
  (Object.keys(hosts) as Host[])
    .flatMap(listGroups)
    .find(({ routes: ofGroup }) => route && ofGroup.includes(route))?.name;
