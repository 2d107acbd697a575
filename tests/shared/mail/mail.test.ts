import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { SQSRecord } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as z from 'zod';
import { resetPassword as acceptLink } from '../../../functions/api/users/account/password-link.ts';
import { invitationEmail, passwordResetEmail } from '../../../functions/api/users/record/jobs.ts';
import { consume } from '../../../functions/jobs/consume.ts';
import { lambdaContext } from '../../../infra/local/lambda-context.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import type { JobType } from '../../../shared/jobs/job-type.ts';
import { getLogger, getMetrics } from '../../../shared/runtime/telemetry.ts';
import {
  linkOf,
  mailsTo,
  type SentMail,
  useMail,
  whileMailIsDown,
} from '../../support/service/mail.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { freshPassword, resetPassword } from '../../support/users/account.ts';
import { tokenOfLink } from '../../support/users/links.ts';
import {
  login,
  newEmail,
  newInvited,
  newPerson,
  newUserOf,
  setUser,
} from '../../support/users/test-users.ts';

useTable();
useMail();
beforeEach(() => {
  process.env['MAIL_FROM'] = 'handbill@example.com';
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A message of the jobs queue; a second delivery is the same record. */
const recordOf = <Schema extends z.ZodType>(
  { name: kind }: JobType<Schema>,
  data: z.input<Schema>,
): SQSRecord => ({
  messageId: randomUUID(),
  receiptHandle: 'test',
  body: JSON.stringify({ id: randomUUID(), kind, data }),
  attributes: {
    ApproximateReceiveCount: '1',
    SentTimestamp: '0',
    SenderId: 'test',
    ApproximateFirstReceiveTimestamp: '0',
  },
  messageAttributes: {},
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:jobs',
  awsRegion: 'us-east-1',
});

/** Delivers messages; answers which are to be delivered again. */
const deliver = async (...Records: SQSRecord[]): Promise<string[]> => {
  const context = lambdaContext(randomUUID(), Date.now() + 60_000);
  const { batchItemFailures } = await consume({ Records }, context);
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
};

const run = <Schema extends z.ZodType>(type: JobType<Schema>, data: z.input<Schema>) =>
  deliver(recordOf(type, data));

const only = <Item>(items: readonly Item[]): Item => {
  expect(items).toHaveLength(1);
  return items[0] as Item;
};

const tokenOf = (mail: SentMail): string => tokenOfLink(linkOf(mail));

/** The words of a mail's HTML, without markup. */
const wordsOf = ({ html }: SentMail): string =>
  html
    .replace(/^[\s\S]*<body[^>]*>/, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');

const sendReset = async (email: string): Promise<SentMail> => {
  expect(await run(passwordResetEmail, { email })).toEqual([]);
  return only(await mailsTo(email));
};

describe('the password reset email', () => {
  it('is sent to the account only, from MAIL_FROM, marked as auto-generated', async () => {
    const { email } = await newPerson();
    expect(await run(passwordResetEmail, { email: email.toUpperCase() })).toEqual([]);
    const mail = only(await mailsTo(email));
    expect(mail).toMatchObject({
      from: 'Handbill <handbill@example.com>',
      to: [email],
      subject: 'Reset your Handbill password',
      headers: [{ name: 'Auto-Submitted', value: 'auto-generated' }],
    });
  });

  it('names the account, the service, the validity of the link and what to do if not requested', async () => {
    const { email } = await newPerson();
    const mail = await sendReset(email);
    for (const words of [mail.text, wordsOf(mail)]) {
      expect(words).toContain('Hello Ann Example,');
      expect(words).toContain(`reset the password for ${email} at handbill.test`);
      expect(words).toContain('within 1 hour');
      expect(words).toContain('If you didn’t request this, ignore this email.');
    }
  });

  it('has the same content in plain text and HTML', async () => {
    const mail = await sendReset((await newPerson()).email);
    const words = wordsOf(mail);
    const paragraphs = mail.text.split('\n\n').filter((text) => !/^(Reset password|--)/.test(text));
    expect(paragraphs).toHaveLength(4);
    for (const paragraph of paragraphs) expect(words).toContain(paragraph);
  });

  it('contains a link to set the password at PUBLIC_URL', async () => {
    const { email } = await newPerson();
    const mail = await sendReset(email);
    expect(new URL(linkOf(mail))).toMatchObject({
      origin: 'https://handbill.test',
      pathname: '/reset',
    });
    expect((await resetPassword(tokenOf(mail))).status).toBe(200);
    expect((await login(email, freshPassword)).status).toBe(200);
  });

  it('loads nothing from a server when opened', async () => {
    const { html } = await sendReset((await newPerson()).email);
    expect(html).not.toMatch(/<(?:img|link|script|iframe|form|object)\b|url\(|@import|src=/i);
  });

  it.each(['inactive', 'suspended'])('is not sent to a user who is %s', async (status) => {
    const { id, email } = await newPerson();
    await setUser(id, { status });
    expect(await run(passwordResetEmail, { email })).toEqual([]);
    expect(await mailsTo(email)).toEqual([]);
    expect((await itemsOf(`USER#${id}`)).filter((item) => 'passwordTokenHash' in item)).toEqual([]);
  });

  it('is not sent to an unregistered address', async () => {
    const email = newEmail();
    expect(await run(passwordResetEmail, { email })).toEqual([]);
    expect(await mailsTo(email)).toEqual([]);
  });
});

describe('the invitation email', () => {
  it('is sent to a user without a password, with a link to choose one', async () => {
    const { id, email } = await newInvited();
    expect(await run(invitationEmail, { userId: id })).toEqual([]);
    const mail = only(await mailsTo(email));
    expect(mail).toMatchObject({ to: [email], subject: 'You’re invited to Handbill' });
    for (const words of [mail.text, wordsOf(mail)]) {
      expect(words).toContain('Hello Bob Example,');
      expect(words).toContain(`for you (${email}) at handbill.test`);
      expect(words).toContain('within 7 days');
      expect(words).toContain('If you weren’t expecting this, ignore this email.');
    }
    expect(new URL(linkOf(mail))).toMatchObject({
      origin: 'https://handbill.test',
      pathname: '/invite',
    });
    const client = { ip: '192.0.2.1', userAgent: undefined };
    const recorder = systemRecorder('password.reset');
    await acceptLink(tokenOf(mail), freshPassword, ['invitation'], client, recorder);
    expect((await login(email, freshPassword)).status).toBe(200);
  });

  it('is not sent to a user with a password, an inactive or an unknown user', async () => {
    const member = await newUserOf('user');
    const inactive = await newInvited({ status: 'inactive' });
    for (const userId of [member.id, inactive.id, 1]) {
      expect(await run(invitationEmail, { userId })).toEqual([]);
    }
    expect([await mailsTo(member.email), await mailsTo(inactive.email)]).toEqual([[], []]);
  });
});

describe('a name in an email', () => {
  const mailTo = async (name: string): Promise<SentMail> => {
    const { email } = await newInvited({ name });
    return sendReset(email);
  };

  it('is escaped', async () => {
    const { html, text } = await mailTo(`<b onclick="x">Ann</b> & 'Bob'`);
    expect(html).toContain(
      'Hello &lt;b onclick=&quot;x&quot;&gt;Ann&lt;/b&gt; &amp; &#39;Bob&#39;,',
    );
    expect(text).toContain(`Hello <b onclick="x">Ann</b> & 'Bob',`);
  });

  it('adds no line, header or recipient', async () => {
    const mail = await mailTo('Ann\r\nBcc: eve\u2028X-Mailer: eve\r\n\r\n\u0000Hi');
    expect(mail.text.split('\n')[0]).toBe('Hello Ann Bcc: eve X-Mailer: eve Hi,');
    expect(mail.subject).toBe('Reset your Handbill password');
    expect(mail.to).toHaveLength(1);
    expect(mail.headers).toHaveLength(1);
  });

  it.each(['Win at evil.example', 'https://evil', 'www.evil', 'eve@evil'])(
    'is omitted if it looks like a link: %s',
    async (name) => {
      const mail = await mailTo(name);
      expect(mail.text.split('\n')[0]).toBe('Hello,');
      expect(mail.html).not.toContain('evil');
    },
  );

  it.each(['J. R. R. Tolkien', 'J.R.R. Tolkien', "Siobhán O'Néill-Łoś", '李小龍'])(
    'is shown unchanged: %s',
    async (name) => {
      const mail = await mailTo(name);
      expect(mail.text.split('\n')[0]).toBe(`Hello ${name},`);
      expect(wordsOf(mail)).toContain(`Hello ${name},`);
    },
  );
});

describe('without MAIL_FROM', () => {
  beforeEach(() => {
    process.env['MAIL_FROM'] = '';
  });

  it('sends nothing, creates no link and completes the jobs', async () => {
    const ann = await newPerson();
    const bob = await newInvited();
    expect(
      await deliver(
        recordOf(passwordResetEmail, { email: ann.email }),
        recordOf(invitationEmail, { userId: bob.id }),
      ),
    ).toEqual([]);
    expect([await mailsTo(ann.email), await mailsTo(bob.email)]).toEqual([[], []]);
    const users = [...(await itemsOf(`USER#${ann.id}`)), ...(await itemsOf(`USER#${bob.id}`))];
    expect(users.length).toBeGreaterThan(1);
    expect(users.filter((item) => 'passwordTokenHash' in item)).toEqual([]);
  });
});

describe('a message delivered more than once', () => {
  it('sends one email', async () => {
    const { email } = await newPerson();
    const record = recordOf(passwordResetEmail, { email });
    expect([await deliver(record), await deliver(record)]).toEqual([[], []]);
    expect(await mailsTo(email)).toHaveLength(1);
  });

  it('sends one email with ten concurrent consumers', async () => {
    const { email } = await newPerson();
    const record = recordOf(passwordResetEmail, { email });
    await Promise.all(Array.from({ length: 10 }, () => deliver(record)));
    expect(await deliver(record)).toEqual([]);
    expect(await mailsTo(email)).toHaveLength(1);
  });

  it('sends one email with a new link when email is available again', async () => {
    const start = Date.now();
    const { email } = await newPerson();
    const record = recordOf(passwordResetEmail, { email });
    await whileMailIsDown(async () => {
      for (const _ of [1, 2]) expect(await deliver(record)).toEqual([record.messageId]);
    });
    vi.useFakeTimers({ toFake: ['Date'], now: start + 20 * 60_000 });
    expect([await deliver(record), await deliver(record)]).toEqual([[], []]);
    const mail = only(await mailsTo(email));
    vi.setSystemTime(start + 79 * 60_000);
    expect((await resetPassword(tokenOf(mail))).status).toBe(200);
  });

  it('calls SES once per delivery, because an email may be sent despite a lost response', async () => {
    const { email } = await newPerson();
    let requests = 0;
    await whileMailIsDown(async () => {
      const { port } = new URL(process.env['AWS_ENDPOINT_URL_SESV2'] ?? '');
      const broken = createServer((request) => {
        requests++;
        request.resume().once('end', () => request.socket.destroy());
      });
      await once(broken.listen(Number(port), '127.0.0.1'), 'listening');
      expect(await run(passwordResetEmail, { email })).toHaveLength(1);
      broken.close();
      await once(broken, 'close');
    });
    expect(requests).toBe(1);
  });

  it('logs no address and no link while email is unavailable', async () => {
    const error = vi.spyOn(getLogger(), 'error');
    const addMetric = vi.spyOn(getMetrics(), 'addMetric');
    const { email } = await newPerson();
    await whileMailIsDown(async () => {
      expect(await run(passwordResetEmail, { email })).toHaveLength(1);
    });
    expect(error).toHaveBeenCalledOnce();
    expect(JSON.stringify(error.mock.calls)).not.toMatch(new RegExp(`${email}|/reset|token`));
    expect(addMetric.mock.calls).toEqual([['JobsFailed', 'Count', 1]]);
  });
});
