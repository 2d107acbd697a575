import { globSync } from 'node:fs';
import { join } from 'node:path';
import { type Host, hosts, routesOf } from '../../functions/routes.ts';
import type { Route } from '../../shared/route.ts';
import type { TypicalCalls } from '../support/typical-calls/typical.ts';

/** All that the modules of a folder export under names that end so, in one object. */
export const gather = async <Value>(
  folder: string,
  ending: string,
): Promise<Readonly<Record<string, Value>>> => {
  const path = join(import.meta.dirname, folder);
  const modules = await Promise.all(
    globSync('*.ts', { cwd: path })
      .sort()
      .map(async (file): Promise<object> => import(join(path, file))),
  );
  const found = modules.flatMap((each) =>
    Object.entries(each).filter(([name]) => name.endsWith(ending)),
  );
  return Object.assign({}, ...found.map(([, values]) => values));
};

/** The typical calls of every route. */
export const allTypicalCalls = (): Promise<TypicalCalls> =>
  gather('../support/typical-calls', 'Calls');

const routes = (Object.keys(hosts) as Host[]).flatMap(routesOf);

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

export const endpointOf = (call: string): string => call.replace(/ \(.*\)$/, '');

/** The route of a typical call. */
export const routeOf = (call: string): Route | undefined =>
  routes.find((route) => nameOf(route) === endpointOf(call));

/** The routes that have no typical call. */
export const uncalled = (calls: TypicalCalls): string[] => {
  const known = new Set(Object.keys(calls).map(endpointOf));
  return routes.map(nameOf).filter((name) => !known.has(name));
};

/** The group that serves a route. */
export const groupOf = (route: Route | undefined): string | undefined =>
  (Object.keys(hosts) as Host[])
    .flatMap((host) => Object.entries<readonly Route[]>(hosts[host]))
    .find(([, ofGroup]) => route && ofGroup.includes(route))?.[0];
