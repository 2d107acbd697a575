import * as z from 'zod';
import { isBlank, oneLine } from '../../../../shared/input/fields.ts';
import { optionFields } from '../record/options.ts';
import {
  expirationFields,
  findExpirationConflicts,
  refuseConflicts,
  toExpiry,
} from '../requests/expiration.ts';
import type { NewLink } from './links.ts';

/** The body of `POST /api/share/{id}/links`. Optional fields accept null. */
export const LinkInput = z
  .object({
    label: oneLine(40)
      .min(1, 'must not be empty')
      .refine((text) => !isBlank(text), 'must contain a visible character')
      .meta({ description: 'Who the link is for.' }),
    viewLimit: optionFields.viewLimit,
    ...expirationFields,
  })
  .superRefine(refuseConflicts(findExpirationConflicts))
  .meta({
    id: 'CreateShareLinkInput',
    examples: [{ label: 'Mei', viewLimit: 1, expiresIn: 86_400 }],
  });

/** Converts the input of a link: null becomes absent, and the expiration one instant. */
export const toNewLink = (input: z.output<typeof LinkInput>): NewLink => ({
  label: input.label,
  viewLimit: input.viewLimit ?? undefined,
  expiresAt: toExpiry(input),
});
