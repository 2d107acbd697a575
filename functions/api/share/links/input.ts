import * as z from 'zod';
import { Email, isBlank, oneLine, optional } from '../../../../shared/input/fields.ts';
import { optionFields } from '../record/options.ts';
import {
  expirationFields,
  findBroken,
  findExpirationConflicts,
  refuseConflicts,
  toExpiry,
} from '../requests/expiration.ts';
import type { LinkChange, NewLink } from './links.ts';

const label = oneLine(40)
  .min(1, 'must not be empty')
  .refine((text) => !isBlank(text), 'must contain a visible character');

const email = optional(Email);
const verify = optional(z.boolean());

const askFor = 'Asks for a code that is emailed to `email`, before the link opens the share.';

/** The body of `POST /api/share/{id}/links`. Optional fields accept null. */
export const LinkInput = z
  .object({
    label: optional(label).meta({ description: 'Who the link is for. By default, `email`.' }),
    email: email.meta({ description: 'The address of its recipient.' }),
    send: optional(z.boolean()).meta({ description: 'Emails the link to `email`.' }),
    verify: verify.meta({ description: askFor }),
    viewLimit: optionFields.viewLimit,
    ...expirationFields,
  })
  .superRefine(
    refuseConflicts((input) => [
      ...findExpirationConflicts(input),
      ...findBroken([
        [input.label == null && input.email == null, 'label', 'is required without email'],
        [input.send === true && input.email == null, 'email', 'is required with send'],
        [input.verify === true && input.email == null, 'email', 'is required with verify'],
      ]),
    ]),
  )
  .meta({
    id: 'CreateShareLinkInput',
    examples: [
      { label: 'Mei', viewLimit: 1, expiresIn: 86_400 },
      { email: 'mei@example.com', send: true, verify: true },
    ],
  });

/** Converts the input of a link: null becomes absent, and the expiration one instant. */
export const toNewLink = (input: z.output<typeof LinkInput>): NewLink => ({
  label: input.label ?? input.email ?? '',
  email: input.email ?? undefined,
  send: input.send ?? false,
  verify: input.verify ?? false,
  viewLimit: input.viewLimit ?? undefined,
  expiresAt: toExpiry(input),
});

/** The body of `PUT /api/share/{id}/links/{linkId}`. What is left out stays; null removes it. */
export const LinkChangeInput = z
  .object({
    label: label.optional().meta({ description: 'Who the link is for.' }),
    email: email.meta({
      description: 'The address of its recipient.',
    }),
    verify: verify.meta({ description: askFor }),
    viewLimit: optionFields.viewLimit,
    ...expirationFields,
  })
  .superRefine(
    refuseConflicts((input) => [
      ...findExpirationConflicts(input),
      ...findBroken([
        [input.verify === true && input.email === null, 'email', 'is required with verify'],
      ]),
    ]),
  )
  .meta({ id: 'UpdateShareLinkInput', examples: [{ email: 'mei@example.com' }] });

/** Converts the change of a link: `undefined` leaves a field as it is. */
export const toLinkChange = (input: z.output<typeof LinkChangeInput>): LinkChange => {
  const changesEnd = input.expiresAt !== undefined || input.expiresIn !== undefined;
  return {
    label: input.label,
    email: input.email,
    verify: input.verify === null ? false : input.verify,
    viewLimit: input.viewLimit,
    expiresAt: changesEnd ? (toExpiry(input) ?? null) : undefined,
  };
};
