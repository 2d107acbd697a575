import { paginated } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { skipsNothing } from '../../../shared/lists/pagination.ts';
import { find, load } from './audit.ts';
import { exportRoutes } from './export-route.ts';
import { AuditQuery, toFilter } from './list-query.ts';
import { EntryPage, toResponse } from './schemas.ts';

export const routes = [
  route({
    endpoint: 'GET /api/audit',
    access: 'audit:view',
    summary: 'List audit entries',
    description:
      'Returns changes, newest first. Filter by actor or subject, by action and by time.',
    query: AuditQuery,
    output: EntryPage,
    readAhead: (userId, query) =>
      query.action === undefined && skipsNothing(query)
        ? find(userId, toFilter(query), query)
        : undefined,
    handle: async ({ actor, query, ahead }) => {
      const found = await (ahead ?? find(actor.user.id, toFilter(query), query));
      return paginated(await load(found, { isCounted: query.count }), toResponse);
    },
  }),
  ...exportRoutes,
];
