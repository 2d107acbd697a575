import { isSentByService } from '../../outbound/user-agent.ts';
import { AppError } from '../../runtime/errors.ts';
import type { Event, Middleware } from '../http.ts';
import { getNetwork } from '../network.ts';
import type { Route } from '../route.ts';
import { createRouteFinder, type FoundRoute } from '../route-table.ts';

/** Creates a function that finds the route of an event, which the gateway sends by a key for many routes. */
export const createEventRouter = (
  routes: readonly Route[],
): ((event: Event) => FoundRoute<Route> | undefined) => {
  const keys = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  if (keys.size < routes.length) throw new Error('Duplicate route');
  const find = createRouteFinder(routes);
  return ({ rawPath, requestContext: { http } }) => find(http.method, rawPath);
};

/** Finds the route of the request, and the client. The event then says route and parameters as a gateway with a key for it would. */
export const matchRoute = (find: (event: Event) => FoundRoute<Route> | undefined): Middleware => ({
  before: ({ event, context }) => {
    const found = find(event);
    if (!found) throw new AppError('NOT_FOUND', 'Not found.');
    const { method, sourceIp, userAgent } = event.requestContext.http;
    event.routeKey = `${method} ${found.value.path}`;
    event.pathParameters = { ...found.params };
    context.route = found.value;
    context.isHead = method === 'HEAD';
    context.cookies = event.cookies ?? [];
    context.client = {
      ip: sourceIp,
      network: getNetwork(sourceIp),
      userAgent: userAgent || undefined,
      isService: isSentByService(userAgent, event.headers),
    };
  },
});
