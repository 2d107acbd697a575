import type * as z from 'zod';
import { isCurrent } from '../../../../shared/auth/email-codes/stored-code.ts';
import { compose } from '../../../../shared/mail/layout.ts';
import { sendMail } from '../../../../shared/mail/mail.ts';
import { getSetting, isMailOn } from '../../../../shared/runtime/settings.ts';
import { toShownEmail } from '../../../../shared/text/email-address.ts';
import { loadShare } from '../reading/load.ts';
import { loadLinks } from '../record/links.ts';
import { loadLinkCode } from './asking.ts';
import type { linkCodeEmail } from './jobs.ts';

/** The email can't have the key of a sealed share, and whoever asks for the code may have lost it. */
const needsKey =
  'The snippet is sealed: you also need its key, which is behind the # of its whole link. Ask who shared it if yours lacks that.';

const composeCode = (email: string, code: string, isSealed: boolean) => {
  const { host } = new URL(getSetting('PUBLIC_URL'));
  return compose({
    to: email,
    subject: `${code.slice(0, 3)} ${code.slice(3)} is your code`,
    before: ['Enter it to open the snippet shared with you. It works for 10 minutes.'],
    code,
    after: [
      ...(isSealed ? [needsKey] : []),
      'If you didn’t ask for a code, ignore this email. No one can open the snippet without it.',
    ],
    signature: `You received this because a snippet was shared with ${toShownEmail(email)} at ${host}. Replies are not monitored.`,
  });
};

/** Sends a code to the address of its link, if it is still the newest one and valid, and email is enabled. */
export const sendCodeEmail = async ({
  linkId,
  id,
  code,
}: z.output<typeof linkCodeEmail.data>): Promise<void> => {
  if (!isMailOn()) return;
  const [[link], newest] = await Promise.all([loadLinks([linkId]), loadLinkCode(linkId)]);
  if (link?.email === undefined || newest?.id !== id || newest.proofId !== link.proofId) return;
  if (!isCurrent(newest, Date.now())) return;
  const { share } = await loadShare(link.shareId);
  await sendMail({ ...composeCode(link.email, code, share.sealed !== undefined), link: linkId });
};
