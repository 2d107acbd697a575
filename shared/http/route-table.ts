/** A route, with the names of its parameters. */
interface Named<Route> {
  readonly value: Route;
  readonly names: readonly string[];
}

/** The routes below a part of a path. */
interface Branch<Route> {
  readonly fixed: Map<string, Branch<Route>>;
  /** Below any segment. */
  param?: Branch<Route>;
  /** For all that follows. */
  greedy?: Named<Route>;
  route?: Named<Route>;
}

/** A route, with the segments in the place of its parameters. */
export interface FoundRoute<Route> {
  readonly value: Route;
  readonly params: Readonly<Record<string, string>>;
}

const createBranch = <Route>(): Branch<Route> => ({ fixed: new Map() });

const toFound = <Route>(
  route: Named<Route> | undefined,
  values: readonly string[],
): FoundRoute<Route> | undefined =>
  route && {
    value: route.value,
    params: Object.fromEntries(route.names.map((name, i) => [name, values[i] ?? ''])),
  };

const split = (path: string): string[] => path.split('/').slice(1);

/**
 * Creates a function that finds the route of a path, in time that doesn't depend on the number of routes. `/users/me`
 * precedes `/users/{id}`, as in API Gateway, and a parameter is a segment that is not empty. `{path+}` is the rest of the path, which
 * may be empty, if no other route matches all of it.
 */
export const createRouteTable = <Route>(
  routes: readonly { readonly path: string; readonly value: Route }[],
): ((path: string) => FoundRoute<Route> | undefined) => {
  const root = createBranch<Route>();
  for (const { path, value } of routes) {
    const names: string[] = [];
    let branch = root;
    const [, fullPath = path, rest] = /^(.*)\/\{(\w+)\+\}$/.exec(path) ?? [];
    for (const segment of split(fullPath)) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      const next =
        (name === undefined ? branch.fixed.get(segment) : branch.param) ?? createBranch<Route>();
      if (name === undefined) branch.fixed.set(segment, next);
      else {
        branch.param = next;
        names.push(name);
      }
      branch = next;
    }
    if (rest === undefined) branch.route = { value, names };
    else branch.greedy = { value, names: [...names, rest] };
  }

  const find = (
    branch: Branch<Route>,
    segments: readonly string[],
    at: number,
    values: readonly string[],
    isGreedy: boolean,
  ): FoundRoute<Route> | undefined => {
    const segment = segments[at];
    if (segment === undefined) return isGreedy ? undefined : toFound(branch.route, values);
    const next = branch.fixed.get(segment);
    const found = next && find(next, segments, at + 1, values, isGreedy);
    if (found) return found;
    const below =
      branch.param &&
      segment !== '' &&
      find(branch.param, segments, at + 1, [...values, segment], isGreedy);
    if (below) return below;
    return isGreedy ? toFound(branch.greedy, [...values, segments.slice(at).join('/')]) : undefined;
  };
  return (path) => {
    const segments = split(path);
    return find(root, segments, 0, [], false) ?? find(root, segments, 0, [], true);
  };
};

/** The method and the template of a path, such as GET and `/api/users/{id}`. */
interface Routed {
  readonly method: string;
  readonly path: string;
}

/** Creates a function that finds the route of a request by its method and its decoded path. HEAD uses the route of GET. */
export const createRouteFinder = <Route extends Routed>(
  routes: readonly Route[],
): ((method: string, path: string) => FoundRoute<Route> | undefined) => {
  const byMethod = Map.groupBy(routes, ({ method }) => method);
  const tables = new Map(
    [...byMethod].map(([method, own]) => [
      method,
      createRouteTable(own.map((value) => ({ path: value.path, value }))),
    ]),
  );
  return (method, path) => tables.get(method === 'HEAD' ? 'GET' : method)?.(path);
};
