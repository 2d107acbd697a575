import * as z from 'zod';
import { exampleUser } from '../../../../shared/auth/user.ts';
import { route } from '../../../../shared/http/route.ts';
import { maxListedReceipts } from '../reading/receipts.ts';
import { ShareId } from '../requests/request-fields.ts';
import { listReaderReceipts, type ReaderReceipt } from './receipts.ts';

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

/** Who opened a share, and who could. */
const Receipts = z
  .object({
    readers: z.array(Reader).meta({
      description: 'Those who opened it last come first, then those who are named and haven’t.',
    }),
  })
  .meta({ id: 'ShareReceipts', examples: [{ readers: [exampleReader] }] });

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
    description: `Lists who opened your share while it wasn’t open to all, at most ${maxListedReceipts}, and the people it names who haven’t. Those who open a share that anyone can open aren’t recorded.`,
    params: ShareId,
    output: Receipts,
    handle: async ({ actor, params }) => ({
      readers: (await listReaderReceipts(actor, params.id)).map(toReader),
    }),
  }),
];
