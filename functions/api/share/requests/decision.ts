import * as z from 'zod';
import { multiLine, optional } from '../../../../shared/input/fields.ts';

/** The maximum length of the reason of a decision, in UTF-16 code units: its notification has it whole. */
const maxReason = 500;

/** What a moderator decides about a reported share or share request. */
export const DecisionInput = z
  .object({
    decision: z.enum(['take-down', 'keep'], 'must be take-down or keep'),
    reason: optional(multiLine(maxReason)).meta({
      description: 'Why, for the owner, who is told the decision.',
    }),
  })
  .meta({
    id: 'ModerateShareInput',
    examples: [{ decision: 'take-down', reason: 'It copies a sign-in page.' }],
  });
