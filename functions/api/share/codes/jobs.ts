// Apart from the other jobs of the group, because the page of a share starts without them.
import * as z from 'zod';
import { emailProblems } from '../../../../shared/auth/user.ts';
import { defineEmail, defineJob } from '../../../../shared/jobs/job-type.ts';

/** Emails a recipient link to its address, if it is still for that. */
export const linkEmail = defineEmail(
  'share-link-email',
  z.object({ linkId: z.string(), email: z.string() }),
);

/** Emails a code of a recipient link, if it is still the newest. Only this message has the code itself. */
export const linkCodeEmail = defineEmail(
  'share-code-email',
  z.object({ linkId: z.string(), id: z.string(), code: z.string() }),
);

/** Notes at a recipient link that its address refused an email. SES's events are sent as such jobs. */
export const linkRefusedJob = defineJob(
  'share-link-refused',
  z.object({
    reason: z.enum(emailProblems),
    /** ISO 8601. */
    at: z.iso.datetime(),
    recipients: z
      .array(z.object({ emailAddress: z.string(), status: z.string().optional() }))
      .max(50),
    /** The tag of the email: the id of the link. */
    links: z.array(z.string()).max(1),
  }),
);
