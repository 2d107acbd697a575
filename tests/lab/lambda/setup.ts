import { vi } from 'vitest';
import type { Endpoint } from '../../../shared/http/fallback.ts';
import type { Event } from '../../../shared/http/http.ts';
import type { Route } from '../../../shared/http/route.ts';

vi.mock('../../support/service/call.ts', () => import('./call.ts'));
// The gateway calls the functions instead of handlers. They are deployed before the first call.
vi.mock('../../../shared/http/create-handler.ts', async (original) => ({
  ...(await original<object>()),
  createHandler: (routes: readonly Route[]) => async (event: Event) => {
    const lambda = await import('./deployment.ts');
    return lambda.deployment().route(lambda.hostOfGroup(routes), event);
  },
}));
vi.mock('../../../shared/http/fallback.ts', async (original) => ({
  ...(await original<object>()),
  createFallback: (endpoints: readonly Endpoint[]) => async (event: Event) => {
    const lambda = await import('./deployment.ts');
    return lambda.deployment().route(lambda.hostOfEndpoints(endpoints), event);
  },
}));
vi.mock('../../../functions/jobs/index.ts', async () => {
  const lambda = await import('./deployment.ts');
  const handler = async (event: unknown): Promise<unknown> => {
    const result = await lambda.deployment().invoke('jobs', event);
    await lambda.deployment().settled();
    return result;
  };
  return { handler };
});
