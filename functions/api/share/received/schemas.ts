import * as z from 'zod';
import { audiences } from '../../../../shared/permissions/audiences.ts';
import { exampleShare, Language } from '../requests/schemas.ts';

/** Counts no more as new: nobody reads a greater number. */
export const maxNew = 100;

const example = {
  id: exampleShare.id,
  title: 'Running order',
  language: exampleShare.language,
  url: exampleShare.url,
  from: { id: 244_212_480_004_096, name: 'Ana Vidal', avatar: null },
  audience: 'people' as const,
  readersCount: 2,
  sharedAt: '2026-11-21T12:00:00.000Z',
  isNew: true,
  protected: false,
  status: 'active' as const,
};

/** A share of someone else in the list of a reader. */
export const ReceivedShareSummary = z
  .object({
    id: z.string(),
    title: z.string().nullable().meta({
      description:
        'The title that was given. Without one, that of the content, unless reading it takes a password or a view.',
    }),
    language: Language,
    url: z.url(),
    from: z
      .object({ id: z.int(), name: z.string(), avatar: z.string().nullable() })
      .meta({ description: 'Who shares it.' }),
    audience: z.enum(audiences).meta({
      description:
        'Why you see it: `people` if it names you, `members` if all members may open it.',
    }),
    readersCount: z.int().meta({ description: 'With `people`: how many others it names.' }),
    sharedAt: z.iso.datetime().meta({ description: 'Since when it is shared with you.' }),
    isNew: z.boolean().meta({ description: 'Whether it is since your last visit.' }),
    protected: z.boolean().meta({ description: 'Whether it asks for a password.' }),
    sealed: z.boolean().optional().meta({
      description: 'Whether it is sealed: it opens by its whole link only. Absent otherwise.',
    }),
    status: z.enum(['active', 'ended']),
  })
  .meta({ id: 'ReceivedShare', examples: [example] });

/** A page of what others share with a user. */
export const ReceivedShareList = z
  .object({
    items: z.array(ReceivedShareSummary),
    new: z.int().meta({
      description: `How many there are since your last visit, at most ${maxNew}.`,
    }),
    page: z.int(),
    pageSize: z.int(),
    nextCursor: z.string().nullable(),
  })
  .meta({
    id: 'ReceivedShareList',
    examples: [{ items: [example], new: 1, page: 1, pageSize: 10, nextCursor: null }],
  });

/** Up to when a user has seen what others share. */
export const SeenInput = z
  .object({
    until: z.iso
      .datetime({ error: 'must be an ISO 8601 time in UTC' })
      .nullish()
      .transform((until) => until ?? undefined)
      .meta({
        description: 'The `sharedAt` of the newest one that you have seen; by default, now.',
      }),
  })
  .meta({ id: 'SeenInput', examples: [{ until: example.sharedAt }] });

export const Seen = z
  .object({ seenAt: z.iso.datetime(), message: z.string() })
  .meta({ id: 'SeenShares', examples: [{ seenAt: example.sharedAt, message: 'Marked as seen' }] });

export const Unlisted = z.object({ id: z.string(), message: z.string() }).meta({
  id: 'UnlistedShare',
  examples: [{ id: example.id, message: 'Removed from your list' }],
});
