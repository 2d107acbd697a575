import * as z from 'zod';
import { RefusedCall } from '../aws/host/json-signature.ts';
import type { StoredMail } from './store.ts';

const Text = z.object({ Data: z.string() });
const Addresses = z.array(z.string().min(3).max(320)).max(50).default([]);

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_MessageTag.html */
const tag = /^[\w-]{1,255}$/;

/** The parts of a call of SES that the service sends: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html */
const SendEmail = z.object({
  FromEmailAddress: z.string().regex(/@/),
  Destination: z.object({
    ToAddresses: Addresses,
    CcAddresses: Addresses,
    BccAddresses: Addresses,
  }),
  EmailTags: z
    .array(z.object({ Name: z.string().regex(tag), Value: z.string().regex(tag) }))
    .default([]),
  Content: z.object({
    Simple: z.object({
      Subject: Text,
      Body: z.object({ Text: Text.optional(), Html: Text.optional() }),
      Headers: z
        .array(z.object({ Name: z.string(), Value: z.string() }))
        .max(15)
        .default([]),
    }),
  }),
});

/**
 * Reads an email from the body of a call of SES.
 * @throws RefusedCall that names the field which is wrong
 */
export const parseSendEmail = (body: Buffer): Omit<StoredMail, 'id'> => {
  let call: unknown;
  try {
    call = JSON.parse(body.toString());
  } catch {
    throw new RefusedCall('SerializationException', 'The body is not JSON', 400);
  }
  const { success, data, error } = SendEmail.safeParse(call);
  if (!success) {
    const [issue] = error.issues;
    const field = issue?.path.join('.');
    throw new RefusedCall('BadRequestException', `${field}: ${issue?.message}`, 400);
  }
  const { FromEmailAddress, Destination, EmailTags, Content } = data;
  const { Subject, Body, Headers } = Content.Simple;
  return {
    at: Date.now(),
    from: FromEmailAddress,
    destination: {
      to: Destination.ToAddresses,
      cc: Destination.CcAddresses,
      bcc: Destination.BccAddresses,
    },
    subject: Subject.Data,
    tags: Object.fromEntries(EmailTags.map(({ Name, Value }) => [Name, Value])),
    headers: Headers.map(({ Name, Value }) => ({ name: Name, value: Value })),
    body: { text: Body.Text?.Data ?? '', html: Body.Html?.Data ?? '' },
  };
};
