import * as z from 'zod';
import { Reply } from '../../shared/reply.ts';
import { route } from '../../shared/route.ts';
import { isTableReachable } from './health.ts';

const Health = z
  .union([
    z.object({ status: z.literal('healthy'), timestamp: z.iso.datetime() }),
    z.object({ status: z.literal('unhealthy'), error: z.string() }),
  ])
  .meta({ id: 'Health' });

const health = (path: '/api/health' | '/health') =>
  route({
    endpoint: `GET ${path}`,
    access: 'public',
    summary: 'Is the service up?',
    output: Health,
    handle: async () =>
      (await isTableReachable())
        ? { status: 'healthy' as const, timestamp: new Date().toISOString() }
        : new Reply(
            { status: 'unhealthy' as const, error: 'The database does not answer' },
            { status: 503 },
          ),
  });

export const routes = [health('/api/health'), health('/health')];
