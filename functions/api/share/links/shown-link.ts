import * as z from 'zod';
import { findLinkEnd } from '../record/links.ts';
import { getUrl } from '../record/share.ts';
import type { ShareLink } from './links.ts';

export const exampleLink = {
  id: 'to_q7RkT2mXc0Za5dLw8PfYhA',
  label: 'Mei',
  email: 'mei@example.com',
  verify: true,
  sentAt: '2026-11-21T12:00:00.000Z',
  bouncedAt: null,
  bounceReason: null,
  verifiedAt: '2026-11-21T14:04:00.000Z',
  url: 'https://handbill.example.com/s/to_q7RkT2mXc0Za5dLw8PfYhA',
  viewLimit: 1,
  views: 1,
  expiresAt: null,
  createdAt: '2026-11-21T12:00:00.000Z',
  firstViewedAt: '2026-11-21T14:05:00.000Z',
  lastViewedAt: '2026-11-21T14:05:00.000Z',
  endedBy: 'views' as const,
};

/** A recipient link. */
export const Link = z
  .object({
    id: z
      .string()
      .meta({ description: 'It opens the share, and stands for it in all that is got by it.' }),
    label: z.string().meta({ description: 'Who the link is for.' }),
    email: z.string().nullable().meta({ description: 'The address of its recipient.' }),
    verify: z.boolean().meta({ description: 'Whether it asks for a code that is emailed first.' }),
    sentAt: z.iso.datetime().nullable().meta({ description: 'When it was last emailed.' }),
    bouncedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the address refused an email.' }),
    bounceReason: z.string().nullable().meta({ description: 'Why it did.' }),
    verifiedAt: z.iso.datetime().nullable().meta({ description: 'When a code was last entered.' }),
    url: z.url(),
    viewLimit: z.int().nullable(),
    views: z.int().meta({ description: 'The number of views with this link. Exact.' }),
    expiresAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
    firstViewedAt: z.iso.datetime().nullable().meta({ description: 'When it was first opened.' }),
    lastViewedAt: z.iso.datetime().nullable().meta({ description: 'When it was last opened.' }),
    endedBy: z
      .enum(['owner', 'views', 'time'])
      .nullable()
      .meta({ description: 'What ended the link; `null` if it works as long as its share.' }),
  })
  .meta({ id: 'ShareLink', examples: [exampleLink] });

const toTime = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();

/** Converts a recipient link for the owner of its share. */
export const toLink = ({ link, access }: ShareLink): z.output<typeof Link> => ({
  id: link.id,
  label: link.label,
  email: link.email ?? null,
  verify: link.proofId !== undefined,
  sentAt: toTime(link.sentAt),
  bouncedAt: toTime(link.bouncedAt),
  bounceReason: link.bounceReason ?? null,
  verifiedAt: toTime(link.verifiedAt),
  url: getUrl(link.id),
  viewLimit: access.viewLimit ?? null,
  views: access.views,
  expiresAt: toTime(access.expiresAt),
  createdAt: new Date(link.createdAt).toISOString(),
  // A view that was taken back leaves its time.
  firstViewedAt: access.views === 0 ? null : toTime(access.firstViewedAt),
  lastViewedAt: access.views === 0 ? null : toTime(access.lastViewedAt),
  endedBy: findLinkEnd(access) ?? null,
});
