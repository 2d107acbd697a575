import { describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { sendBody, settleJobs, useJobs } from '../../support/service/jobs.ts';
import { linkOf, mailsTo, useMail } from '../../support/service/mail.ts';
import { linksOf, sharesOf } from '../../support/shares/requests.ts';
import { useTable } from '../../support/table/table.ts';
import { newEmail, newPerson } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
useMail();

const { person } = useNewPeople({ person: newPerson });
const ann = { ...sharesOf(person), ...linksOf(person) };

const withoutMail = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  const { MAIL_FROM } = process.env;
  delete process.env['MAIL_FROM'];
  try {
    return await work();
  } finally {
    process.env['MAIL_FROM'] = MAIL_FROM;
  }
};

const emailsTo = async (email: string) => {
  await settleJobs();
  return mailsTo(email);
};

/** Creates a share with a link that is sent. */
const newSent = async (ofShare: object = {}, ofLink: object = {}) => {
  const id = await ann.newShare({ title: 'Offer', ...ofShare });
  const email = newEmail();
  const { status, body } = await ann.addLink(id, { email, send: true, ...ofLink });
  expect(status).toBe(201);
  return { id, email, link: body.id as string, created: body };
};

/** Delivers the job of an event of SES about an email with a link. */
const refuse = async (link: string, emailAddress: string, more: object = {}) => {
  const recipients = [{ emailAddress, status: '5.1.1' }];
  const data = { reason: 'bounce', at: '2026-11-21T12:05:00Z', recipients, links: [link], ...more };
  await sendBody(JSON.stringify({ id: JSON.stringify(data), kind: 'share-link-refused', data }));
  await settleJobs();
};

const linkIn = async (id: string) => (await ann.links(id)).body.items[0];

describe('a link that is sent', () => {
  it('is mailed once to its address, which is its label', async () => {
    const { email, link, created } = await newSent({}, { expiresIn: 86_400, viewLimit: 1 });
    expect(created).toMatchObject({
      label: email,
      email,
      sentAt: expect.any(String),
      verify: false,
    });
    const [mail, ...others] = await emailsTo(email);
    expect(others).toEqual([]);
    expect(mail?.subject).toMatch(/ shared a snippet with you$/);
    expect(linkOf(mail ?? expect.unreachable())).toBe(`https://handbill.test/s/${link}`);
    expect(mail?.text).toContain('It opens once. It expires on 22 November 2026');
    expect(mail?.text).toContain('Offer');
  });

  it.each([
    ['with a password', { password: 'Abc123' }, {}],
    ['that isn’t open to all', { audience: 'private' }, {}],
    ['whose title looks like a link', { title: 'Offer at example.com' }, {}],
  ])('tells no title of a share %s', async (_, ofShare, ofLink) => {
    const { email } = await newSent(ofShare, ofLink);
    const [mail] = await emailsTo(email);
    expect(`${mail?.subject} ${mail?.text} ${mail?.html}`).not.toMatch(/Offer|nobody else/);
  });

  it('says that it asks for a code', async () => {
    const { email } = await newSent({}, { verify: true });
    expect((await emailsTo(email))[0]?.text).toContain('It asks for a code');
  });

  it('is not mailed once it is revoked, or its share has ended', async () => {
    const [one, other] = [await newSent(), await newSent()];
    await ann.revokeLink(one.id, one.link);
    await ann.end(other.id);
    expect([...(await emailsTo(one.email)), ...(await emailsTo(other.email))]).toEqual([]);
    expect((await ann.sendLink(one.id, one.link)).status).toBe(410);
    expect((await ann.sendLink(other.id, other.link)).status).toBe(410);
  });

  it('is sent again once a minute', async () => {
    const { id, email, link } = await newSent();
    const refused = await ann.sendLink(id, link);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
    pass(60_000);
    const answers = await Promise.all([ann.sendLink(id, link), ann.sendLink(id, link)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429]);
    expect(await emailsTo(email)).toHaveLength(2);
  });

  it('is sent to another address at once, and not to an equal one', async () => {
    const { id, email, link } = await newSent();
    const other = newEmail();
    const { body } = await ann.changeLink(id, link, { email: other });
    expect(body).toMatchObject({
      id: link,
      label: other,
      email: other,
      sentAt: expect.any(String),
    });
    expect((await ann.changeLink(id, link, { email: other.toUpperCase() })).status).toBe(200);
    expect([await emailsTo(email), (await emailsTo(other)).length]).toEqual([[], 1]);
  });
});

describe('a link with an address', () => {
  it.each([
    ['label', {}],
    ['email', { label: 'Mei', send: true }],
    ['email', { label: 'Mei', verify: true }],
    ['email', { email: 'mei' }],
  ])('is refused with an invalid %s', async (field, body) => {
    const { status, body: error } = await ann.addLink(await ann.newShare(), body);
    expect([status, error.error.details[0].field]).toEqual([400, field]);
  });

  it('is neither sent nor asks for a code while email is off', async () => {
    const id = await ann.newShare();
    const email = newEmail();
    await withoutMail(async () => {
      for (const field of ['send', 'verify']) {
        const { status, body } = await ann.addLink(id, { email, [field]: true });
        expect([status, body.error.details[0].field]).toEqual([422, field]);
      }
      const { status, body } = await ann.addLink(id, { email });
      expect([status, body.sentAt]).toEqual([201, null]);
      expect((await ann.sendLink(id, body.id)).status).toBe(422);
      expect((await ann.changeLink(id, body.id, { verify: true })).status).toBe(422);
    });
  });

  it('is changed in what is given, and audited without its id', async () => {
    const { id, link, email } = await newSent({}, { label: 'Mei', viewLimit: 3, expiresIn: 60 });
    const { status, body } = await ann.changeLink(id, link, { label: 'Luca', viewLimit: null });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        label: 'Luca',
        email,
        viewLimit: null,
        expiresAt: expect.any(String),
      }),
    ]);
    expect((await ann.changeLink(id, link, { expiresAt: null, verify: true })).body).toMatchObject({
      expiresAt: null,
      verify: true,
    });
    const none = await ann.changeLink(id, link, { email: null });
    expect([none.status, none.body.error.details[0].field]).toEqual([400, 'email']);
    const noted = await entriesAbout(`share:${id}`);
    expect(noted.filter(({ action }) => action === 'share.update-link')).toHaveLength(2);
    expect(JSON.stringify(noted)).not.toContain(link);
  });

  it('keeps its views when it is changed, and is revoked for good', async () => {
    const { id, link } = await newSent();
    await call('GET /api/share', { query: { id: link } });
    expect((await ann.changeLink(id, link, { viewLimit: 1 })).body).toMatchObject({
      views: 1,
      endedBy: 'views',
    });
    await ann.revokeLink(id, link);
    expect((await ann.changeLink(id, link, { viewLimit: null })).status).toBe(410);
  });

  it('belongs to the owner of its share', async () => {
    const { id, link } = await newSent();
    const other = linksOf(await newPerson());
    expect((await other.changeLink(id, link, { label: 'Mine' })).status).toBe(404);
    expect((await other.sendLink(id, link)).status).toBe(404);
  });
});

describe('an address that refuses an email', () => {
  it.each([
    ['No such mailbox', {}],
    ['No such domain', { recipients: [{ status: '5.1.2' }] }],
    ['The mailbox is full', { recipients: [{ status: '5.2.2' }] }],
    ['The address refused the email', { recipients: [{}] }],
    ['Reported as spam', { reason: 'complaint', recipients: [{}] }],
  ])('is marked at the link: %s', async (bounceReason, more) => {
    const { id, email, link } = await newSent();
    const recipients = ('recipients' in more ? more.recipients : [{ status: '5.1.1' }]).map(
      (recipient) => ({ emailAddress: email.toUpperCase(), ...recipient }),
    );
    await refuse(link, email, { ...more, recipients });
    expect(await linkIn(id)).toMatchObject({ bounceReason, bouncedAt: '2026-11-21T12:05:00.000Z' });
  });

  it('is no concern of a link that is for another one by now, nor of one that was deleted', async () => {
    const { id, email, link } = await newSent();
    await ann.changeLink(id, link, { email: newEmail() });
    await refuse(link, email);
    expect(await linkIn(id)).toMatchObject({ bouncedAt: null, bounceReason: null });
    await ann.remove(id);
    await refuse(link, email, { at: '2026-11-21T12:06:00Z' });
  });

  it('is forgotten when it is fixed, or tried again', async () => {
    const { id, email, link } = await newSent();
    await refuse(link, email);
    pass(60_000);
    expect((await ann.sendLink(id, link)).body).toMatchObject({ bouncedAt: null });
    await refuse(link, email, { at: '2026-11-21T12:07:00Z' });
    expect((await ann.changeLink(id, link, { email: newEmail() })).body).toMatchObject({
      bouncedAt: null,
      bounceReason: null,
    });
  });

  it('is told by the receipts of the share', async () => {
    const { id, email, link } = await newSent({ audience: 'private' }, { verify: true });
    await refuse(link, email);
    const plain = (await ann.addLink(id, { label: 'Mei' })).body.id;
    await call('GET /api/share', { query: { id: plain } });
    const { links } = (await ann.receipts(id)).body;
    expect(links).toMatchObject([
      {
        id: link,
        email,
        verify: true,
        bounceReason: 'No such mailbox',
        verifiedAt: null,
        times: 0,
      },
      {
        id: plain,
        label: 'Mei',
        email: null,
        sentAt: null,
        times: 1,
        firstOpenedAt: expect.any(String),
      },
    ]);
  });

  it('is found by the tag of the email', async () => {
    const { email, link } = await newSent();
    expect((await emailsTo(email))[0]).toMatchObject({ tags: { link } });
  });
});
