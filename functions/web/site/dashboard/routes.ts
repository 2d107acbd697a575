import * as z from 'zod';
import {
  Representation,
  representationHeaders,
} from '../../../../shared/http/content-negotiation.ts';
import { route } from '../../../../shared/http/route.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { pagePolicy } from '../../layout/layout.ts';
import { pageReply } from '../page-reply.ts';
import { dashboardPage } from './page.ts';

export const routes = [
  route({
    endpoint: 'GET /dashboard',
    access: 'public',
    summary: 'Show the dashboard page',
    description: 'The page contains no user data; its script calls the API.',
    headers: z.object(representationHeaders),
    output: Representation,
    produces: 'html',
    handle: async ({ headers }) =>
      pageReply(dashboardPage(getSetting('CURRENCY')), headers, pagePolicy()),
  }),
];
