import * as z from 'zod';
import {
  Representation,
  representationHeaders,
} from '../../../../shared/http/content-negotiation.ts';
import { route } from '../../../../shared/http/route.ts';
import { pagePolicy } from '../../layout/layout.ts';
import { pageReply } from '../page-reply.ts';
import { sharesPage } from './page.ts';

export const routes = [
  route({
    endpoint: 'GET /shares',
    access: 'public',
    summary: 'Show your shares page',
    description: 'The page contains no user data; its script calls the API.',
    headers: z.object(representationHeaders),
    output: Representation,
    produces: 'html',
    handle: ({ headers }) => pageReply(sharesPage(), headers, pagePolicy()),
  }),
];
