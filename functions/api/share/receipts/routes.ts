import * as z from 'zod';
import { exampleUser } from '../../../../shared/auth/user.ts';
import { route } from '../../../../shared/http/route.ts';
import type { ShareLink } from '../links/links.ts';
import { toLink } from '../links/shown-link.ts';
import { maxListedReceipts } from '../reading/receipts.ts';
import { ShareId } from '../requests/request-fields.ts';
import { listReceipts, type ReaderReceipt } from './receipts.ts';

const { id, name, email } = exampleUser;

const exampleReader = {
  id,
  name,
  email,
  avatar: null,
  isNamed: true,
  times: 2,
  firstOpenedAt: '2026-11-21T14:05:00.000Z',
  lastOpenedAt: '2026-11-21T16:40:00.000Z',
};

const Reader = z.object({
  id: z.int().positive(),
  name: z.string().nullable().meta({ description: '`null` for a deleted user.' }),
  email: z.string().nullable().meta({ description: '`null` where people aren’t found by name.' }),
  avatar: z.string().nullable(),
  isNamed: z.boolean().meta({ description: 'Whether `readers` of the share has the user.' }),
  times: z.int().meta({ description: 'How often the user opened it.' }),
  firstOpenedAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When the user first opened it.' }),
  lastOpenedAt: z.iso.datetime().nullable().meta({ description: 'When the user last opened it.' }),
});

const exampleLink = {
  id: 'to_q7RkT2mXc0Za5dLw8PfYhA',
  label: 'Mei',
  email: 'mei@example.com',
  verify: true,
  sentAt: '2026-11-21T12:00:00.000Z',
  bouncedAt: null,
  bounceReason: null,
  verifiedAt: '2026-11-21T14:04:00.000Z',
  times: 1,
  firstOpenedAt: '2026-11-21T14:05:00.000Z',
  lastOpenedAt: '2026-11-21T14:05:00.000Z',
  endedBy: null,
};

const time = z.iso.datetime().nullable();

const LinkReceipt = z.object({
  id: z.string(),
  label: z.string().meta({ description: 'Who the link is for.' }),
  email: z.string().nullable(),
  verify: z.boolean().meta({ description: 'Whether it asks for a code first.' }),
  sentAt: time.meta({ description: 'When it was last emailed.' }),
  bouncedAt: time.meta({ description: 'When the address refused an email.' }),
  bounceReason: z.string().nullable().meta({ description: 'Why it did.' }),
  verifiedAt: time.meta({ description: 'When a code was last entered.' }),
  times: z.int().meta({ description: 'How often it was opened.' }),
  firstOpenedAt: time.meta({ description: 'When it was first opened.' }),
  lastOpenedAt: time.meta({ description: 'When it was last opened.' }),
  endedBy: z.enum(['owner', 'views', 'time']).nullable().meta({ description: 'What ended it.' }),
});

/** Who opened a share, and who could. */
const Receipts = z
  .object({
    readers: z.array(Reader).meta({
      description: 'Those who opened it last come first, then those who are named and haven’t.',
    }),
    links: z.array(LinkReceipt).meta({ description: 'Recipient links, the oldest first.' }),
  })
  .meta({ id: 'ShareReceipts', examples: [{ readers: [exampleReader], links: [exampleLink] }] });

/** A receipt says of a link what the link says of itself, as far as its schema has it; views are how often it was opened. */
const toLinkReceipt = (found: ShareLink): z.output<typeof LinkReceipt> => {
  const { views, firstViewedAt, lastViewedAt, ...link } = toLink(found);
  return { ...link, times: views, firstOpenedAt: firstViewedAt, lastOpenedAt: lastViewedAt };
};

const toReader = ({ opened, ...reader }: ReaderReceipt): z.output<typeof Reader> => ({
  ...reader,
  name: reader.name ?? null,
  email: reader.email ?? null,
  avatar: reader.avatar ?? null,
  times: opened?.times ?? 0,
  firstOpenedAt: opened?.firstAt ?? null,
  lastOpenedAt: opened?.lastAt ?? null,
});

/** Receipts of a share (decisions.md#receipts). */
export const receiptRoutes = [
  route({
    endpoint: 'GET /api/share/{id}/receipts',
    access: 'signed-in',
    scope: 'shares:view',
    summary: 'List receipts of a share',
    description: `Lists who opened your share while it wasn’t open to all, at most ${maxListedReceipts}, and the people it names who haven’t, and its recipient links. Those who open a share that anyone can open aren’t recorded.`,
    params: ShareId,
    output: Receipts,
    tools: [
      {
        name: 'share_receipts',
        title: 'See who opened a share',
        description:
          'Returns who opened a share of the person and when, who could and hasn’t, and its recipient links.',
        hints: {
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
        showsContent: true,
      },
    ],
    handle: async ({ actor, params }) => {
      const { readers, links } = await listReceipts(actor, params.id);
      return { readers: readers.map(toReader), links: links.map(toLinkReceipt) };
    },
  }),
];
