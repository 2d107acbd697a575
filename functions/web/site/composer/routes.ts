import * as z from 'zod';
import {
  Representation,
  representationHeaders,
} from '../../../../shared/http/content-negotiation.ts';
import { route } from '../../../../shared/http/route.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { pagePolicy } from '../../layout/layout.ts';
import { pageReply } from '../page-reply.ts';
import { composerPage } from './page.ts';

export const routes = [
  route({
    endpoint: 'GET /',
    access: 'public',
    summary: 'Show the composer page',
    description:
      'The page for writing and sharing a snippet. With the query parameter `edit`, it edits the share with that id.',
    headers: z.object(representationHeaders),
    output: Representation,
    produces: 'html',
    handle: async ({ headers }) => {
      const frames = getSetting('SNIPPETS_URL');
      const policy = pagePolicy({ frames, anyImages: true });
      return pageReply(composerPage(`${frames}/preview`), headers, policy);
    },
  }),
];
