import * as z from 'zod';

/** That somebody let users see a document or a file, at a time (ISO 8601). */
export const Sharing = z.object({
  id: z.int(),
  userIds: z.array(z.int()),
  sharedBy: z.int(),
  sharedAt: z.iso.datetime(),
});

export type Sharing = z.output<typeof Sharing>;
