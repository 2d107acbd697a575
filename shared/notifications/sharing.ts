import * as z from 'zod';

/** A document or file was shared with users at a time (ISO 8601). */
export const Sharing = z.object({
  id: z.int(),
  userIds: z.array(z.int()),
  sharedBy: z.int(),
  sharedAt: z.iso.datetime(),
});

export type Sharing = z.output<typeof Sharing>;
