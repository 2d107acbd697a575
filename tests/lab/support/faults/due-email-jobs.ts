import { randomUUID } from 'node:crypto';
import { newUser } from '../../../support/sample-requests/sample-request.ts';
import { sendBody } from '../../../support/service/jobs.ts';
import { askCode } from '../../../support/shares/codes.ts';
import { linksOf, sharesOf } from '../../../support/shares/requests.ts';
import { requestCode, whileEmailSignInIsOn } from '../../../support/users/email-codes.ts';
import { newEmail } from '../../../support/users/test-users.ts';

/** Sends a link of a new share by email. */
const sendLink = async () => {
  const person = await newUser();
  const id = await sharesOf(person).newShare();
  const email = newEmail();
  const { body } = await linksOf(person).addLink(id, { email, send: true, verify: true });
  return { email, linkId: body.id as string };
};

/** Creates a pending job of each type that emails a link or a code, or hears of such an email. */
export const dueEmailJobs: Readonly<Record<string, () => Promise<unknown>>> = {
  'share-link-email': sendLink,
  'share-code-email': async () => {
    await askCode((await sendLink()).linkId);
  },
  'share-link-refused': async () => {
    const { email: emailAddress, linkId } = await sendLink();
    const at = new Date().toISOString();
    const data = { reason: 'bounce', at, recipients: [{ emailAddress }], links: [linkId] };
    await sendBody(JSON.stringify({ id: randomUUID(), kind: 'share-link-refused', data }));
  },
  'sign-in-code-email': async () => {
    const { email } = await newUser();
    await whileEmailSignInIsOn(() => requestCode(email));
  },
};
