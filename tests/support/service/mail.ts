import { afterAll, beforeAll } from 'vitest';
import { type LocalMail, openMail } from '../../../infra/local/mail.ts';

let mail: LocalMail;

/**
 * Creates an in-memory email service for this test file and enables email. Registering sends no link, unless a file is about
 * verification.
 */
export const useMail = (verification: 'off' | 'optional' | 'required' = 'off'): void => {
  beforeAll(async () => {
    mail = await openMail(undefined, 0);
    process.env['AWS_ENDPOINT_URL_SESV2'] = mail.endpoint;
    process.env['MAIL_FROM'] = 'handbill@example.com';
    process.env['EMAIL_VERIFICATION'] = verification;
  });
  afterAll(() => mail.close());
};

/** Runs a function while email is on, as in a deployment. */
export const whileMailIsOn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  const { MAIL_FROM } = process.env;
  process.env['MAIL_FROM'] = 'handbill@example.com';
  try {
    return await work();
  } finally {
    if (MAIL_FROM === undefined) delete process.env['MAIL_FROM'];
    else process.env['MAIL_FROM'] = MAIL_FROM;
  }
};

/** Runs a function while the email service is down. */
export const whileMailIsDown = async (work: () => Promise<void>): Promise<void> => {
  await mail.close();
  try {
    await work();
  } finally {
    mail = await openMail(undefined, Number(new URL(mail.endpoint).port));
  }
};

export interface SentMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

interface StoredMail extends Pick<SentMail, 'from' | 'subject' | 'headers' | 'tags'> {
  readonly destination: { readonly to: string[]; readonly cc: string[]; readonly bcc: string[] };
  readonly body: { readonly text: string; readonly html: string };
}

/** Returns the emails sent to an address, in order. */
export const mailsTo = async (address: string): Promise<SentMail[]> => {
  const response = await fetch(`${mail.endpoint}/store`);
  const { emails } = (await response.json()) as { readonly emails: readonly StoredMail[] };
  return emails
    .map(({ from, destination: { to, cc, bcc }, subject, tags, body, headers }) => ({
      from,
      to: [...to, ...cc, ...bcc],
      subject,
      tags,
      ...body,
      headers,
    }))
    .filter(({ to }) => to.includes(address));
};

/** Returns the only link of an email, which must match in its text and its HTML. */
export const linkOf = ({ text, html }: SentMail): string => {
  const [link = '', ...others] = new Set([
    ...(text.match(/https?:\/\/\S+/g) ?? []),
    ...[...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url = '']) => url),
  ]);
  if (others.length > 0) throw new Error(`A mail with more than one link: ${link} ${others}`);
  return link;
};
