import * as z from 'zod';
import {
  negotiate,
  Representation,
  representationHeaders,
} from '../../../../shared/http/content/content-negotiation.ts';
import { Success, success } from '../../../../shared/http/envelope.ts';
import { perNetwork } from '../../../../shared/http/network-limits.ts';
import { type Route, route } from '../../../../shared/http/route.ts';
import { createFeed, findFeedOwner, readFeed, revokeFeed } from './feed.ts';

// Loaded on first use: it contains the definitions of all time zones.
const feedContent = () => import('./content.ts');

const createdAt = '2026-11-21T12:00:00.000Z';

const CalendarFeed = Success(
  z
    .object({
      createdAt: z.iso.datetime(),
      lastUsedAt: z.iso
        .datetime()
        .nullable()
        .meta({ description: 'When it was last used, to the hour.' }),
    })
    .nullable()
    .meta({ description: 'Your feed. `null`: you have none.' }),
).meta({
  id: 'CalendarFeed',
  examples: [{ success: true, data: { createdAt, lastUsedAt: null } }],
});

const NewCalendarFeed = Success(
  z.object({
    url: z
      .url()
      .meta({ description: 'Keep it secret: anyone who has this URL can read the calendar.' }),
    createdAt: z.iso.datetime(),
  }),
).meta({
  id: 'CreatedCalendarFeed',
  examples: [
    {
      success: true,
      data: {
        url: 'https://api.example.com/calendar/244212480000000.k3Zp0cWbq7x1VvH9sTt2AmZ3kP0cWbq7x1VvH9sTt2A/events.ics',
        createdAt,
      },
      message: 'Copy the URL now. It won’t be shown again.',
    },
  ],
});

const FeedRevoked = Success(z.object({ revoked: z.literal(true) })).meta({
  id: 'RevokedCalendarFeed',
  examples: [{ success: true, data: { revoked: true }, message: 'Revoked' }],
});

const minuteMs = 60_000;

/** Counts only failed requests, because calendar apps poll often. */
const failureLimit = {
  name: 'calendar-feed',
  tokens: 30,
  perMs: 10 * minuteMs,
  site: { tokens: 150 },
  failuresOnly: true,
  countNotFound: true,
} as const;

export const feedRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /api/calendar/feed',
    access: 'calendar:view',
    summary: 'Get your calendar feed',
    description: 'Says whether you have a calendar feed. Doesn’t return its URL.',
    output: CalendarFeed,
    handle: async ({ actor }) => {
      const feed = await readFeed(actor);
      const { lastUsedAt = null } = feed ?? {};
      return success(feed ? { createdAt: feed.createdAt, lastUsedAt } : null);
    },
  }),
  route({
    endpoint: 'POST /api/calendar/feed',
    access: 'calendar:view',
    summary: 'Create a calendar feed URL',
    description:
      'The URL is shown only once. The previous one stops working. API tokens can’t be used.',
    status: 201,
    output: NewCalendarFeed,
    errors: { FORBIDDEN: 'The permission calendar:view is missing, or an API token is used.' },
    auditAction: 'feed.create',
    handle: async ({ actor, recorder }) => {
      const { feed, url } = await createFeed(actor, recorder);
      const { createdAt } = feed;
      return success({ url, createdAt }, 'Copy the URL now. It won’t be shown again.');
    },
  }),
  route({
    endpoint: 'DELETE /api/calendar/feed',
    access: 'calendar:view',
    summary: 'Revoke your calendar feed URL',
    description: 'The URL stops working immediately.',
    output: FeedRevoked,
    errors: { NOT_FOUND: 'You have no calendar feed.' },
    auditAction: 'feed.revoke',
    handle: async ({ actor, recorder }) => {
      await revokeFeed(actor, recorder);
      return success({ revoked: true as const }, 'Revoked');
    },
  }),
  route({
    endpoint: 'GET /calendar/{token}/events.ics',
    access: 'public',
    summary: 'Get a calendar as iCalendar',
    description:
      'Returns the calendar of the user who created this URL (RFC 5545): single events from 90 days ago to a year ahead, and recurring ones by their rules. Only failed requests count towards the limit.',
    params: z.object({ token: z.string().max(100) }),
    headers: z.object(representationHeaders),
    output: Representation,
    produces: 'calendar',
    limits: perNetwork(failureLimit),
    handle: async ({ params: { token }, headers, isHead }) => {
      const user = await findFeedOwner(token, !isHead);
      const { readFeedContent } = await feedContent();
      return negotiate(await readFeedContent(user), headers, { caches: 'private' });
    },
  }),
];
