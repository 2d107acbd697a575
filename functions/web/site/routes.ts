import * as z from 'zod';
import {
  Representation,
  represent,
  representationHeaders,
} from '../../../shared/http/content-negotiation.ts';
import { route } from '../../../shared/http/route.ts';
import { setting } from '../../../shared/runtime/settings.ts';
import { pagePolicy } from '../layout/layout.ts';
import { composerPage } from './composer/composer-page.ts';
import { moderationPage } from './moderation/page.ts';
import { sharesPage } from './shares/shares-page.ts';

/** These pages are the same for everybody: what not everybody may see their scripts ask the API for. */
const options = (policy: string) => ({
  isPublic: true,
  headers: { 'content-security-policy': policy, 'cross-origin-opener-policy': 'same-origin' },
});

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
      const frames = setting('SNIPPETS_URL');
      const policy = pagePolicy({ frames, anyPictures: true });
      return represent(composerPage(`${frames}/preview`), headers, options(policy));
    },
  }),
  route({
    endpoint: 'GET /shares',
    access: 'public',
    summary: 'Show your shares page',
    description: 'The page contains no user data; its script calls the API.',
    headers: z.object(representationHeaders),
    output: Representation,
    produces: 'html',
    handle: ({ headers }) => represent(sharesPage(), headers, options(pagePolicy())),
  }),
  route({
    endpoint: 'GET /moderation',
    access: 'public',
    summary: 'Show the moderation page',
    description: 'The page contains no user data; its script calls the API.',
    headers: z.object(representationHeaders),
    output: Representation,
    produces: 'html',
    handle: ({ headers }) => {
      const frames = setting('SNIPPETS_URL');
      return represent(
        moderationPage(`${frames}/preview`),
        headers,
        options(pagePolicy({ frames })),
      );
    },
  }),
];
