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
import { slowDown, waitForTurn } from './mail-rate.ts';

/** An email to one recipient, as plain text and HTML. */
export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The recipient link that it is about: its bounce names it. */
  readonly link?: string;
}

/** SES rejects every email until its configuration changes. */
class MailSetupError extends Error {
  override readonly name = 'MailSetupError';
}

let client: SESv2Client | undefined;

/** Returns the SES client. It tries once, because after a lost response SES may have sent the email. */
const mailClient = (): SESv2Client => {
  client ??= new SESv2Client({
    maxAttempts: 1,
    requestHandler: createRequestHandler(8_000),
  });
  return client;
};

/**
 * Rate and daily quota exceeded.
 * https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html
 */
const throttled = new Set([
  'TooManyRequestsException',
  'LimitExceededException',
  'ThrottlingException',
]);

type Refusal = 'throttled' | 'for now' | 'this mail' | 'until set up';

/** Returns what this error of SES rejects. */
const classifyError = (error: unknown): Refusal => {
  if (!(error instanceof SESv2ServiceException)) return 'for now';
  if (throttled.has(error.name)) return 'throttled';
  if (error.$fault === 'server') return 'for now';
  if (error instanceof BadRequestException) return 'this mail';
  // SES reports viruses and the sandbox by the same error; only the message differs.
  // https://docs.aws.amazon.com/ses/latest/dg/troubleshoot-error-messages.html
  if (error instanceof MessageRejected && !/not verified/i.test(error.message)) return 'this mail';
  return 'until set up';
};

/** Returns what became of an email that SES refused. @throws the error, if another attempt is for later */
const settle = (error: unknown): 'throttled' | 'rejected' => {
  const refusal = classifyError(error);
  if (refusal === 'for now') throw error;
  if (refusal === 'throttled') {
    getMetrics().addMetric('EmailsThrottled', 'Count', 1);
    return 'throttled';
  }
  if (refusal === 'until set up') {
    getMetrics().addMetric('EmailConfigErrors', 'Count', 1);
    throw new MailSetupError(
      'SES sends nothing: see that MAIL_FROM is verified in this region, that the account has left the sandbox and is not paused, and that this function may send',
      { cause: error },
    );
  }
  getLogger().error('Email rejected', { error: serializeError(error) });
  getMetrics().addMetric('EmailsRejected', 'Count', 1);
  return 'rejected';
};

const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });

/** Creates the command that sends an email from MAIL_FROM. @throws Error when email is disabled */
const createCommand = ({ to, subject, text, html, link }: Email): SendEmailCommand => {
  const from = getSetting('MAIL_FROM');
  if (from === undefined) throw new Error('Email is disabled: MAIL_FROM is not set');
  const ConfigurationSetName = getSetting('MAIL_CONFIGURATION_SET');
  return new SendEmailCommand({
    ...(ConfigurationSetName !== undefined && { ConfigurationSetName }),
    FromEmailAddress: `Handbill <${from}>`,
    Destination: { ToAddresses: [to] },
    ...(link !== undefined && { EmailTags: [{ Name: 'link', Value: link }] }),
    Content: {
      Simple: {
        Subject: utf8(subject),
        Body: { Text: utf8(text), Html: utf8(html) },
        // Prevents out-of-office replies (RFC 3834).
        Headers: [{ Name: 'Auto-Submitted', Value: 'auto-generated' }],
      },
    },
  });
};

type Outcome = 'sent' | 'throttled' | 'rejected';

const trySending = async (command: SendEmailCommand): Promise<Outcome> => {
  try {
    await mailClient().send(command);
    return 'sent';
  } catch (error) {
    return settle(error);
  }
};

/**
 * Sends an email at once, to a person who waits for the outcome.
 * @throws as `sendMail`
 */
export const sendMailNow = (email: Email): Promise<Outcome> => trySending(createCommand(email));

/**
 * Sends an email from MAIL_FROM, at MAIL_RATE. While SES throttles it, it wasn't sent and is tried again. An email that SES
 * permanently rejects (for its address or content) is logged and counted, and `false` is returned. Any other failure is
 * worth retrying, if necessary after a change of the SES configuration.
 * @throws DeferredError when the invocation has no time left to wait; MailSetupError; what SES throws while it is down or
 *   unavailable; Error when email is disabled
 */
export const sendMail = async (email: Email): Promise<boolean> => {
  const command = createCommand(email);
  for (;;) {
    await waitForTurn();
    const outcome = await trySending(command);
    if (outcome !== 'throttled') return outcome === 'sent';
    slowDown();
  }
};
