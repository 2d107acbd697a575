import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { setting } from '../../shared/settings.ts';

/** A mail to one person, as plain text and as HTML. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

let client: SESv2Client | undefined;

/** The one client of SES. A try that was lost may have sent the mail, so that it isn't repeated here. */
const mailClient = (): SESv2Client => {
  client ??= new SESv2Client({
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: 2_000,
      requestTimeout: 8_000,
      throwOnRequestTimeout: true,
    }),
  });
  return client;
};

const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });

/**
 * Sends a mail from MAIL_FROM.
 * @throws what SES throws, and when mail is off
 */
export const sendMail = async ({ to, subject, text, html }: Mail): Promise<void> => {
  const from = setting('MAIL_FROM');
  if (from === undefined) throw new Error('Mail is off: MAIL_FROM is not set');
  await mailClient().send(
    new SendEmailCommand({
      FromEmailAddress: from,
      Destination: { ToAddresses: [to] },
      Content: {
        Simple: { Subject: utf8(subject), Body: { Text: utf8(text), Html: utf8(html) } },
      },
    }),
  );
};
