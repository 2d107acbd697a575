import { AppError } from '../../runtime/errors.ts';
import type { Middleware } from '../http.ts';
import { getNetwork } from '../network.ts';
import type { Route } from '../route.ts';

/** Finds the route of the gateway's route key, and the client. HEAD uses the route of GET. */
export const matchRoute = (routes: readonly Route[]): Middleware => {
  const byKey = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  if (byKey.size < routes.length) throw new Error('Duplicate route');
  return {
    before: ({ event, context }) => {
      const isHead = event.routeKey.startsWith('HEAD ');
      const route = byKey.get(isHead ? event.routeKey.replace('HEAD', 'GET') : event.routeKey);
      if (!route) throw new AppError('NOT_FOUND', 'Not found.');
      context.route = route;
      context.isHead = isHead;
      const { sourceIp, userAgent } = event.requestContext.http;
      context.client = {
        ip: sourceIp,
        network: getNetwork(sourceIp),
        userAgent: userAgent || undefined,
      };
    },
  };
};
