import { hosts, listRoutes } from '../../functions/routes.ts';
import { type Endpoint, listEndpoints } from '../../shared/http/fallback.ts';
import type { Host } from '../../shared/http/host.ts';

/** Returns every host's endpoints as JSON, for the fallback functions. */
export const formatEndpoints = (): string => {
  const lists = (Object.keys(hosts) as Host[]).map((host): [Host, Endpoint[]] => [
    host,
    listEndpoints(listRoutes(host)),
  ]);
  return `${JSON.stringify(Object.fromEntries(lists), null, 2)}\n`;
};
