import * as z from 'zod';
import { route } from '../../../shared/http/route.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { isTableReachable } from './health.ts';

const Health = z
  .object({ status: z.literal('healthy'), timestamp: z.iso.datetime() })
  .meta({ id: 'Health', examples: [{ status: 'healthy', timestamp: '2026-11-21T12:00:00.000Z' }] });

const unhealthy = { status: 'unhealthy' as const, error: 'The database is unavailable.' };

const Unhealthy = z
  .object({ status: z.literal('unhealthy'), error: z.string() })
  .meta({ id: 'Unhealthy', examples: [unhealthy] });

const health = (path: '/api/health' | '/health') =>
  route({
    endpoint: `GET ${path}`,
    access: 'public',
    summary: 'Check the service health',
    description: 'Responds with 503 if the database can’t be reached.',
    output: Health,
    errors: { SERVICE_UNAVAILABLE: { when: 'The database can’t be reached.', body: Unhealthy } },
    handle: async () => {
      if (!(await isTableReachable())) {
        throw new AppError('SERVICE_UNAVAILABLE', unhealthy.error, { bareBody: unhealthy });
      }
      return { status: 'healthy' as const, timestamp: new Date().toISOString() };
    },
  });

export const routes = [health('/api/health'), health('/health')];
