import { MetricUnit } from '@aws-lambda-powertools/metrics';
import {
  BadRequestException,
  MessageRejected,
  SESv2Client,
  SESv2ServiceException,
  SendEmailCommand,
} from '@aws-sdk/client-sesv2';
import { serializeError } from '../runtime/error-mapping.ts';
import { createRequestHandler } from '../runtime/request-handler.ts';
import { getSetting } from '../runtime/settings.ts';
import { getLogger, getMetrics } from '../runtime/telemetry.ts';

/** A mail to one person, as plain text and as HTML. */
export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** SES sends nothing until somebody has changed how it is set up. */
class MailSetupError extends Error {
  override readonly name = 'MailSetupError';
}

let client: SESv2Client | undefined;

/** The one client of SES. A try whose answer was lost may have sent the mail, and SES can't tell, so there is one try. */
const mailClient = (): SESv2Client => {
  client ??= new SESv2Client({
    maxAttempts: 1,
    requestHandler: createRequestHandler(8_000),
  });
  return client;
};

/** Too many at once, and past the quota of the day. https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html */
const throttled = new Set([
  'TooManyRequestsException',
  'LimitExceededException',
  'ThrottlingException',
]);

type Refusal = 'for now' | 'this mail' | 'until set up';

/** What SES, or the way to it, refuses by this error. */
const classifyError = (error: unknown): Refusal => {
  if (!(error instanceof SESv2ServiceException)) return 'for now';
  if (error.$fault === 'server' || throttled.has(error.name)) return 'for now';
  if (error instanceof BadRequestException) return 'this mail';
  // The same error for a virus and for the sandbox: only its words tell them apart.
  // https://docs.aws.amazon.com/ses/latest/dg/troubleshoot-error-messages.html
  if (error instanceof MessageRejected && !/not verified/i.test(error.message)) return 'this mail';
  return 'until set up';
};

const settle = (error: unknown): void => {
  const refusal = classifyError(error);
  if (refusal === 'for now') throw error;
  if (refusal === 'until set up') {
    getMetrics().addMetric('EmailConfigErrors', MetricUnit.Count, 1);
    throw new MailSetupError(
      'SES sends nothing: see that MAIL_FROM is verified in this region, that the account has left the sandbox and is not paused, and that this function may send',
      { cause: error },
    );
  }
  getLogger().error('SES refused a mail for good', { failure: serializeError(error) });
  getMetrics().addMetric('EmailsRejected', MetricUnit.Count, 1);
};

const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });

/**
 * Sends a mail from MAIL_FROM. One that SES will never take (its address, its content) is logged and counted, and that is
 * the end of it; every other failure is worth another try, if need be after somebody has set SES up.
 * @throws MailSetupError; what SES throws while it is throttled, down or out of reach; and when mail is off
 */
export const sendMail = async ({ to, subject, text, html }: Email): Promise<void> => {
  const from = getSetting('MAIL_FROM');
  if (from === undefined) throw new Error('Mail is off: MAIL_FROM is not set');
  const command = new SendEmailCommand({
    FromEmailAddress: `Handbill <${from}>`,
    Destination: { ToAddresses: [to] },
    Content: {
      Simple: {
        Subject: utf8(subject),
        Body: { Text: utf8(text), Html: utf8(html) },
        // Keeps out-of-office replies away (RFC 3834).
        Headers: [{ Name: 'Auto-Submitted', Value: 'auto-generated' }],
      },
    },
  });
  await mailClient().send(command).catch(settle);
};
