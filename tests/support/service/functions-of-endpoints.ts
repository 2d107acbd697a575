import { hosts, listGroups } from '../../../functions/routes.ts';
import { functionConfigs } from '../../../infra/functions/config/functions.ts';
import type { Host } from '../../../shared/http/host.ts';

/** The function that answers an endpoint. */
export interface DeployedFunction {
  /** Its folder below `functions`. */
  readonly folder: string;
  /** The time that a request has. */
  readonly timeoutMs: number;
}

/** Maps each endpoint, `GET /s/{id}`, to its function. Vitest loads this, and all routes for it, once for all files. */
export const functionsOfEndpoints: ReadonlyMap<string, DeployedFunction> = new Map(
  (Object.keys(hosts) as Host[])
    .flatMap(listGroups)
    .flatMap(({ name, folder, routes }) =>
      routes.map(({ method, path }): [string, DeployedFunction] => [
        `${method} ${path}`,
        { folder, timeoutMs: 1_000 * functionConfigs[name].timeoutSeconds },
      ]),
    ),
);
