import * as z from 'zod';
import {
  Representation,
  represent,
  representationHeaders,
} from '../../../../shared/http/content-negotiation.ts';
import { route } from '../../../../shared/http/route.ts';
import { setting } from '../../../../shared/runtime/settings.ts';
import { pagePolicy } from '../../layout/layout.ts';
import { dashboardPage } from './dashboard-page.ts';

export const pageRoutes = [
  route({
    endpoint: 'GET /dashboard',
    access: 'public',
    summary: 'Show the dashboard page',
    description: 'The page contains no user data; its script calls the API.',
    headers: z.object(representationHeaders),
    output: Representation,
    produces: 'html',
    handle: ({ headers }) =>
      represent(dashboardPage(setting('CURRENCY')), headers, {
        isPublic: true,
        headers: {
          'content-security-policy': pagePolicy(),
          'cross-origin-opener-policy': 'same-origin',
        },
      }),
  }),
];
