import { describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { type Answer, call } from '../../../support/service/call.ts';
import { form } from '../../../support/service/form.ts';
import { settleJobs, useJobs } from '../../../support/service/jobs.ts';
import { mailsTo, useMail } from '../../../support/service/mail.ts';
import {
  askCode,
  codesTo,
  enterCode,
  otherThan,
  proofsIn,
  prove,
} from '../../../support/shares/codes.ts';
import { content, linksOf, reason, sharesOf } from '../../../support/shares/requests.ts';
import { frame, tokenIn } from '../../../support/shares/shares.ts';
import { itemsOf, useTable } from '../../../support/table/table.ts';
import { newEmail, newPerson, newUserOf } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
useMail();

const { person } = useNewPeople({ person: newPerson });
const ann = { ...sharesOf(person), ...linksOf(person) };
const minute = 60_000;

/** Creates a share with a link that asks for a code, and the requests of a browser. */
const newAsking = async (ofShare: object = {}, ofLink: object = {}) => {
  const id = await ann.newShare({ title: 'Secret', ...ofShare });
  const email = newEmail();
  const link = (await ann.addLink(id, { email, verify: true, ...ofLink })).body.id as string;
  const ask = (endpoint: string, options: object = {}): Promise<Answer> =>
    call(endpoint, { params: { id: link }, ...options });
  return {
    id,
    email,
    link,
    ask,
    page: (cookies: readonly string[] = [], view?: string) =>
      ask('GET /s/{id}', { cookies, ...(view !== undefined && { query: { view } }) }),
    open: (cookies: readonly string[] = [], fields = {}) =>
      ask('POST /s/{id}/open', { cookies, ...form(fields) }),
    views: async () => (await ann.links(id)).body.items[0].views as number,
    stored: async () => (await itemsOf(`LINK#${link}`)).find(({ sk }) => sk === 'CODE'),
  };
};

describe('a link that asks for a code', () => {
  it('is opened by the newest code that its address got, and then as any link', async () => {
    const tom = await newAsking({ password: 'Abc123' });
    const asked = await tom.page();
    expect([asked.status, asked.headers['cache-control']]).toEqual([
      401,
      expect.stringContaining('no-store'),
    ]);
    expect(asked.body).toContain(`action="/s/${tom.link}/code"`);
    expect(asked.body).not.toMatch(/Secret|Abc123|password|remaining/i);
    expect(asked.body).not.toContain(tom.email);
    const sent = await askCode(tom.link);
    expect([sent.status, sent.headers['location']]).toEqual([303, `/s/${tom.link}/code`]);
    const form = await tom.ask('GET /s/{id}/code');
    expect([form.status, form.body]).toEqual([
      200,
      expect.stringContaining('autocomplete="one-time-code"'),
    ]);
    const [code = ''] = await codesTo(tom.email);
    const entered = await enterCode(tom.link, `${code.slice(0, 3)} ${code.slice(3)}`);
    expect([entered.status, entered.headers['location']]).toEqual([303, `/s/${tom.link}`]);
    expect(entered.cookies?.[0]).toMatch(
      /^__Host-proofs=[\w.-]+; Path=\/; HttpOnly; Secure; SameSite=Lax; Max-Age=43200$/,
    );
    const cookies = proofsIn(entered);
    const gate = await tom.page(cookies);
    expect([gate.status, gate.body]).toEqual([200, expect.stringContaining('Enter the password')]);
    const opened = await tom.open(cookies, { password: 'Abc123' });
    const token = tokenIn(opened) ?? '';
    expect((await tom.page(cookies, token)).body).toContain('Secret');
    expect((await frame(tom.link, token)).body).toContain(content);
    expect(await tom.views()).toBe(1);
    expect((await ann.links(tom.id)).body.items[0]).toMatchObject({
      verify: true,
      verifiedAt: '2026-11-21T12:00:01.000Z',
    });
  });

  it('tells nothing without it, by any way, and uses no view', async () => {
    const tom = await newAsking({ content, readersCanEnd: true, viewLimit: 5 });
    const asBrowser = { headers: { accept: 'text/html' } };
    const answers = [
      tom.page(),
      tom.ask('HEAD /s/{id}'),
      tom.open(),
      tom.ask('GET /s/{id}/raw'),
      tom.ask('GET /s/{id}/raw', asBrowser),
      tom.ask('GET /s/{id}/end'),
      tom.ask('POST /s/{id}/end', form()),
      tom.ask('GET /{id}'),
      call('GET /api/share', { query: { id: tom.link } }),
    ];
    for (const answer of answers) {
      const { status, body } = await answer;
      expect([status, String(JSON.stringify(body)).includes('nobody else')]).toEqual([401, false]);
    }
    const { body } = await call('GET /api/share', { query: { id: tom.link } });
    expect(body.error.message).toBe('Open the link in a browser: it asks for a code.');
    expect((await tom.ask('GET /s/{id}/report')).status).toBe(200);
    expect(await tom.views()).toBe(0);
  });

  it('still asks once its share has ended, which only its recipient learns', async () => {
    const tom = await newAsking();
    await ann.end(tom.id);
    expect((await tom.page()).status).toBe(401);
    const cookies = await prove(tom.link, tom.email);
    expect((await tom.page(cookies)).status).toBe(410);
    expect(
      (await call('POST /s/{id}/report', { params: { id: tom.link }, ...form({ reason }) })).status,
    ).toBe(303);
  });

  it('reported without its code, it shows moderators no content', async () => {
    const tom = await newAsking({ audience: 'private' });
    const moderator = sharesOf(await newUserOf('super_admin'));
    expect((await tom.ask('POST /api/share/{id}/report', { body: { reason } })).status).toBe(201);
    expect(JSON.stringify((await moderator.manage(tom.id)).body)).not.toContain(content);
  });

  it('opens without a code for its owner', async () => {
    const tom = await newAsking({ content: '# Mine', language: 'markdown' });
    const own = await tom.ask('GET /s/{id}', { token: person.token });
    expect([own.status, own.body]).toEqual([200, expect.stringContaining('Mine')]);
  });

  it('works within MAX_AUDIENCE people, as other links don’t', async () => {
    process.env['MAX_AUDIENCE'] = 'people';
    try {
      const id = await ann.newShare({ audience: 'private' });
      expect((await ann.addLink(id)).status).toBe(422);
      const email = newEmail();
      const { status, body } = await ann.addLink(id, { email, verify: true });
      expect(status).toBe(201);
      expect((await call('GET /s/{id}', { params: { id: body.id } })).status).toBe(401);
      expect((await ann.changeLink(id, body.id, { verify: false })).status).toBe(422);
    } finally {
      delete process.env['MAX_AUDIENCE'];
    }
  });
});

describe('a code', () => {
  it('is stored as a keyed hash, and told to its address alone', async () => {
    const tom = await newAsking();
    const sent = await askCode(tom.link);
    const [code = ''] = await codesTo(tom.email);
    const form = await tom.ask('GET /s/{id}/code');
    for (const seen of [sent, form, await tom.stored()])
      expect(JSON.stringify(seen)).not.toContain(code);
    const [mail] = await mailsTo(tom.email);
    expect(mail?.subject).toBe(`${code.slice(0, 3)} ${code.slice(3)} is your code`);
    expect(`${mail?.text} ${mail?.html}`).not.toContain('Secret');
  });

  it('is valid for ten minutes', async () => {
    const tom = await newAsking();
    await askCode(tom.link);
    const [code = ''] = await codesTo(tom.email);
    pass(10 * minute);
    const { status, body } = await enterCode(tom.link, code);
    expect([status, body]).toEqual([401, expect.stringContaining('doesn’t work any more')]);
  });

  it('is tried five times, whoever tries', async () => {
    const tom = await newAsking();
    await askCode(tom.link);
    const [code = ''] = await codesTo(tom.email);
    for (const left of [
      '4 attempts left',
      '3 attempts left',
      '2 attempts left',
      '1 attempt left',
    ]) {
      const address = `192.0.2.${left.charAt(0)}`;
      const { status, body } = await enterCode(tom.link, otherThan(code), { address });
      expect([status, body]).toEqual([401, expect.stringContaining(`Incorrect code. ${left}`)]);
    }
    expect((await enterCode(tom.link, otherThan(code))).body).toContain('Too many attempts.');
    expect((await enterCode(tom.link, code)).body).toContain('Too many attempts.');
    expect(await tom.views()).toBe(0);
  });

  it('counts no try that isn’t six digits', async () => {
    const tom = await newAsking();
    await askCode(tom.link);
    expect((await enterCode(tom.link, '12345')).body).toContain('Enter the 6 digits');
    expect((await tom.stored())?.['tries']).toBe(0);
  });

  it('at six concurrent tries, five wrong and one right, is compared five times at most', async () => {
    const tom = await newAsking();
    await askCode(tom.link);
    const [code = ''] = await codesTo(tom.email);
    const tried = [1, 2, 3, 4, 5, 0].map((by) => enterCode(tom.link, otherThan(code, by)));
    const answers = await Promise.all(tried);
    expect((await tom.stored())?.['tries']).toBe(5);
    const right = answers.at(-1) as Answer;
    expect(answers.slice(0, 5).every(({ status }) => status === 401)).toBe(true);
    expect(answers.filter(({ body }) => /attempts? left/.test(body)).length).toBeLessThanOrEqual(4);
    expect([303, 401]).toContain(right.status);
    expect((await enterCode(tom.link, code)).status).toBe(401);
  });

  it('ends the one before, which is told', async () => {
    const tom = await newAsking();
    await askCode(tom.link);
    await codesTo(tom.email);
    pass(minute);
    await askCode(tom.link);
    const [first = '', second = ''] = await codesTo(tom.email);
    expect((await enterCode(tom.link, first)).body).toContain(
      'That isn’t the newest code. 4 attempts left.',
    );
    expect((await enterCode(tom.link, second)).status).toBe(303);
  });

  it('is sent once, if it is asked for twice at once or within a minute', async () => {
    const tom = await newAsking();
    const answers = await Promise.all([askCode(tom.link), askCode(tom.link)]);
    pass(minute - 1);
    expect([...answers, await askCode(tom.link)].map(({ status }) => status)).toEqual([
      303, 303, 303,
    ]);
    expect(await codesTo(tom.email)).toHaveLength(1);
    pass(1);
    await askCode(tom.link);
    expect(await codesTo(tom.email)).toHaveLength(2);
  });

  it('is sent three times an hour to a network, and ten times a day', async () => {
    const tom = await newAsking();
    for (let sent = 0; sent < 3; sent++) {
      expect((await askCode(tom.link)).status).toBe(303);
      pass(minute);
    }
    const refused = await askCode(tom.link);
    expect([refused.status, refused.body]).toEqual([
      429,
      expect.stringContaining('Try again in 57 min.'),
    ]);
    for (let sent = 3; sent < 10; sent++) {
      expect((await askCode(tom.link, { address: `198.51.100.${sent}` })).status).toBe(303);
      pass(minute);
    }
    expect((await askCode(tom.link, { address: '198.51.100.99' })).status).toBe(429);
    pass(24 * 60 * minute);
    expect((await askCode(tom.link)).status).toBe(303);
  });

  it('opens no other link', async () => {
    const [tom, ines] = [await newAsking(), await newAsking()];
    await askCode(tom.link);
    await askCode(ines.link);
    const [code = ''] = await codesTo(tom.email);
    expect((await enterCode(ines.link, code)).status).toBe(401);
    const cookies = await enterCode(tom.link, code).then(proofsIn);
    expect((await ines.page(cookies)).status).toBe(401);
    const plain = (await ann.addLink(tom.id)).body.id;
    expect((await enterCode(plain, code)).status).toBe(404);
    expect((await askCode(plain)).status).toBe(404);
  });

  it('is accepted again for a minute, because forms are sent twice', async () => {
    const tom = await newAsking();
    await askCode(tom.link);
    const [code = ''] = await codesTo(tom.email);
    expect((await enterCode(tom.link, code)).status).toBe(303);
    expect((await enterCode(tom.link, code)).status).toBe(303);
    pass(minute);
    expect((await enterCode(tom.link, code)).status).toBe(401);
  });
});

describe('a proof', () => {
  it('is valid for twelve hours', async () => {
    const tom = await newAsking();
    const cookies = await prove(tom.link, tom.email);
    pass(12 * 60 * minute - 1_000);
    expect((await tom.page(cookies)).status).toBe(200);
    pass(1_000);
    expect((await tom.page(cookies)).status).toBe(401);
  });

  it('ends with the address of its link, at once, with what was opened by it', async () => {
    const tom = await newAsking();
    const cookies = await prove(tom.link, tom.email);
    const token = tokenIn(await tom.open(cookies)) ?? '';
    expect((await frame(tom.link, token)).status).toBe(200);
    const { body } = await ann.changeLink(tom.id, tom.link, { email: newEmail() });
    expect(body).toMatchObject({ verify: true, verifiedAt: null });
    expect((await tom.page(cookies)).status).toBe(401);
    expect((await tom.page(cookies, token)).status).toBe(401);
    expect((await frame(tom.link, token)).status).toBe(401);
  });

  it('ends with its link, which sends no more codes', async () => {
    const tom = await newAsking();
    const cookies = await prove(tom.link, tom.email);
    await ann.revokeLink(tom.id, tom.link);
    pass(minute);
    const answers = [tom.page(cookies), tom.page(), askCode(tom.link), tom.open(cookies)];
    for (const answer of answers) expect((await answer).status).toBe(410);
    expect(await codesTo(tom.email)).toHaveLength(1);
  });

  it('is kept with nine others, the newest', async () => {
    const links = [];
    let cookies: string[] = [];
    for (let count = 0; count < 11; count++) {
      const tom = await newAsking();
      links.push(tom);
      cookies = await prove(tom.link, tom.email, { cookies, address: `198.51.100.${count}` });
    }
    const statuses = await Promise.all(links.map(async ({ page }) => (await page(cookies)).status));
    expect(statuses).toEqual([401, ...Array(10).fill(200)]);
    expect(cookies.join().length).toBeLessThan(3_000);
  });
});

/** Looks at everything that an email and its pages lead to, and presses every button, as mail scanners do. */
const scan = async (link: string): Promise<void> => {
  for (const path of ['', '/raw', '/code', '/report', '/end', '/embed', '/revisions']) {
    for (const method of ['HEAD', 'GET'])
      await call(`${method} /s/{id}${path}`, { params: { id: link } });
  }
  await call('GET /{id}', { params: { id: link } });
};

const press = async (link: string): Promise<void> => {
  for (const path of ['/code', '/open', '/end', '/proof']) {
    await call(`POST /s/{id}${path}`, { params: { id: link }, ...form({ code: '000000' }) });
  }
  await call('POST /s/{id}/report', { params: { id: link }, ...form({ reason }) });
};

describe('a mail scanner', () => {
  it.each([
    ['open to all', {}, {}],
    ['limited', { viewLimit: 1 }, {}],
    ['limited by its link', {}, { viewLimit: 1 }],
    ['with a password', { password: 'Abc123' }, {}],
    ['private', { audience: 'private', readersCanEnd: true }, {}],
  ])('uses no view of a share %s', async (_, ofShare, ofLink) => {
    const id = await ann.newShare(ofShare);
    const email = newEmail();
    const links = [
      (await ann.addLink(id, { ...ofLink, email, verify: true })).body.id,
      (await ann.addLink(id, { ...ofLink, email })).body.id,
    ];
    for (const link of links) await scan(link);
    await press(links[0]);
    await scan(links[0]);
    await settleJobs();
    const { items } = (await ann.links(id)).body;
    expect(
      items.map(({ views, endedBy }: { views: number; endedBy: string }) => [views, endedBy]),
    ).toEqual([
      [0, null],
      [0, null],
    ]);
    expect((await ann.look(id)).body).toMatchObject({ views: 0, status: 'active' });
  });
});
