import * as z from 'zod';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { destination, destinationHeaders, leadToPage, type ownFrames } from './top-level.ts';

/** A frame of the service's own pages: its document, its policy, and how long it is kept. */
interface OwnFrame {
  readonly name: (typeof ownFrames)[number];
  readonly summary: string;
  readonly description: string;
  readonly render: () => string;
  readonly policy: () => string;
  readonly maxAgeSeconds: number;
}

/** Creates the route of a frame that the service's own pages have. Opened by itself, it leads to the composer. */
export const ownFrameRoute = ({
  name,
  summary,
  description,
  render,
  policy,
  maxAgeSeconds,
}: OwnFrame) =>
  route({
    endpoint: `GET /${name}`,
    access: 'public',
    summary,
    description,
    headers: z.object(destinationHeaders),
    produces: 'html',
    output: z.string(),
    redirects: 'Leads to the composer, for a browser that opens the address by itself.',
    handle: async ({ headers }) =>
      leadToPage(headers, '/') ??
      new Reply(render(), {
        headers: {
          vary: destination,
          'content-security-policy': policy(),
          'cache-control': `public, max-age=${maxAgeSeconds}`,
        },
      }),
  });
