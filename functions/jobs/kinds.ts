import * as z from 'zod';
import * as recoveryMail from '../auth/recovery-mail.ts';
import { job } from './job.ts';

/** Every kind of job, by the name that its messages bear. To add one is to add a value here. */
export const kinds = {
  'reset-mail': job({
    data: z.object({ email: z.string() }),
    once: true,
    run: ({ email }) => recoveryMail.sendResetMail(email),
  }),
  'invitation-mail': job({
    data: z.object({ userId: z.int() }),
    once: true,
    run: ({ userId }) => recoveryMail.sendInvitation(userId),
  }),
} as const;
