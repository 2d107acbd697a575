import { addCode } from '../../../../shared/auth/email-codes/add-code.ts';
import { createCode, hashCode } from '../../../../shared/auth/email-codes/stored-code.ts';
import { enqueue } from '../../../../shared/jobs/queue.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { isMailOn } from '../../../../shared/runtime/settings.ts';
import { type AskingLink, getCodePlace } from './asking.ts';
import { linkCodeEmail } from './jobs.ts';

/**
 * Emails a new code to the address of a link, which ends the one before. Within a minute of that, nothing is sent. Returns from
 * when on there is another code (ms since 1970), if too many were asked for.
 * @throws AppError SERVICE_UNAVAILABLE while email is off
 */
export const sendCode = async (
  link: AskingLink,
  network: string,
): Promise<{ readonly refusedUntil: number | undefined }> => {
  if (!isMailOn()) {
    throw new AppError('SERVICE_UNAVAILABLE', 'This service sends no email now. Try again later.');
  }
  const code = createCode();
  const place = getCodePlace(link);
  const { isNewest, refusedUntil } = await addCode(place, await hashCode(place, code), network);
  if (isNewest) await enqueue(linkCodeEmail, { linkId: link.id, ...code });
  return { refusedUntil };
};
