import type * as z from 'zod';
import { conditionalUpdate } from '../../../../shared/db/conditional-write.ts';
import type { linkRefusedJob } from '../codes/jobs.ts';
import { shareKeys } from '../record/keys.ts';
import { isLinkId } from '../record/links.ts';

/** What the enhanced status of a bounce means (RFC 3463), by how it begins. */
const reasons = [
  ['5.1.2', 'No such domain'],
  ['5.4', 'No such domain'],
  ['5.1', 'No such mailbox'],
  ['5.2.2', 'The mailbox is full'],
  ['5.2.1', 'The mailbox is closed'],
  ['5.7', 'The address doesn’t take this email'],
] as const;

const toReason = (reason: string, status = ''): string => {
  if (reason === 'complaint') return 'Reported as spam';
  const [, text] = reasons.find(([start]) => status.startsWith(start)) ?? [];
  return text ?? 'The address refused the email';
};

/** Notes at recipient links that their address refused an email. One that is for another address by now isn't concerned. */
export const markBounced = async ({
  reason,
  at,
  recipients,
  links: [linkId = ''],
}: z.output<typeof linkRefusedJob.data>): Promise<void> => {
  if (!isLinkId(linkId)) return;
  for (const { emailAddress, status } of recipients) {
    await conditionalUpdate({
      Key: shareKeys.link.at({ linkId }),
      UpdateExpression: 'SET bouncedAt = :at, bounceReason = :reason',
      ConditionExpression: 'email = :email',
      ExpressionAttributeValues: {
        ':at': Date.parse(at),
        ':reason': toReason(reason, status),
        ':email': emailAddress.toLowerCase(),
      },
    });
  }
};
