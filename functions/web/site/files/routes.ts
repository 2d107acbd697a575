import * as z from 'zod';
import {
  Representation,
  representationHeaders,
} from '../../../../shared/http/content-negotiation.ts';
import { route } from '../../../../shared/http/route.ts';
import { pagePolicy } from '../../layout/layout.ts';
import { pageReply } from '../page-reply.ts';
import { filesPage } from './page.ts';
import { uploadUrl } from './upload-url.ts';

export const routes = [
  route({
    endpoint: 'GET /files',
    access: 'public',
    summary: 'Show the files page',
    description: 'The page contains no user data; its script calls the API.',
    headers: z.object(representationHeaders),
    output: Representation,
    produces: 'html',
    // It may send files to the bucket, too, and to nothing beside it.
    handle: async ({ headers }) =>
      pageReply(filesPage(), headers, pagePolicy({ connects: uploadUrl() })),
  }),
];
