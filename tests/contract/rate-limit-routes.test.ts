import { describe, expect, it, vi } from 'vitest';
import { passwordLimits } from '../../functions/api/share/requests/limits.ts';
import { consumeToken } from '../../shared/http/rate-limit.ts';
import { statusesOf, times, useLimitedService } from '../support/service/limited-service.ts';
import { useTable } from '../support/table/table.ts';
import { createApiToken } from '../support/users/account.ts';
import { newEmail, newUserOf, type Person, password } from '../support/users/test-users.ts';

useTable();
const { start, moveTo, send } = useLimitedService();

const minuteMs = 60_000;

describe('POST /api/auth/register', () => {
  it('accepts 20 requests per hour and address', async () => {
    const body = () => ({ email: newEmail(), name: 'Ann', password, confirmPassword: password });
    const register = () => send('POST /api/auth/register', { body: body() });
    expect(await statusesOf(21, register)).toEqual([...times(20, 201), 429]);
    moveTo();
    expect((await register()).headers.ratelimit).toBe('"register";r=19;t=180');
  });
});

describe('the current password', () => {
  const fresh = 'battery staple';
  const change = ({ token }: Person, currentPassword: string) => {
    moveTo();
    return send('PUT /api/auth/password', { token, body: { currentPassword, password: fresh } });
  };
  const changeEmail = ({ token }: Person, currentPassword: string) => {
    moveTo();
    return send('PUT /api/users/me', { token, body: { email: newEmail(), currentPassword } });
  };

  const mint = ({ token }: Person, currentPassword: string) => {
    moveTo();
    return send('POST /api/auth/tokens', { token, body: { name: 'Script', currentPassword } });
  };

  it('may be incorrect 10 times in 15 minutes over all routes and addresses', async () => {
    const [ann, bob] = [await newUserOf('user'), await newUserOf('user')];
    const attempts = await statusesOf(11, (at) =>
      ([change, changeEmail, mint][at % 3] ?? mint)(ann, `wrong ${at}`),
    );
    expect(attempts).toEqual([...times(10, 400), 429]);
    for (const way of [change, changeEmail, mint])
      expect((await way(ann, password)).status).toBe(429);
    expect((await change(bob, password)).status).toBe(200);
    vi.setSystemTime(start + 1.5 * minuteMs);
    expect((await change(ann, password)).status).toBe(200);
  });

  it('consumes no token when correct or not required', async () => {
    const ann = await newUserOf('user');
    expect(await statusesOf(12, () => changeEmail(ann, password))).toEqual(times(12, 200));
    const { token } = ann;
    const { status, headers } = await send('PUT /api/users/me', { token, body: { name: 'Zoe' } });
    expect([status, headers.ratelimit]).toEqual([200, undefined]);
    expect((await change(ann, password)).headers).toMatchObject({
      'ratelimit-policy': '"own-password";q=10;w=900',
      ratelimit: '"own-password";r=10;t=0',
    });
  });
});

describe('an API token that may update the profile', () => {
  it('guesses no password, and uses up no attempt of its owner', async () => {
    const ann = await newUserOf('user');
    const permissions = ['profile:update'];
    const { token } = (await createApiToken(ann.token, { permissions })).body.data;
    const email = newEmail();
    const put = (body: object, by = token) => send('PUT /api/users/me', { token: by, body });
    for (const body of [
      { email },
      { email, currentPassword: password },
      { currentPassword: 'x' },
    ]) {
      const { status, headers, text } = await put(body);
      expect([status, headers.ratelimit]).toEqual([403, undefined]);
      expect(text).toContain('API tokens can’t change the email address.');
    }
    const guess = () => put({ email, currentPassword: 'wrong' });
    expect(await statusesOf(11, guess)).toEqual(times(11, 403));
    expect((await put({ email: ann.email, name: 'Zoe' })).status).toBe(200);
    expect((await put({ email, currentPassword: password }, ann.token)).headers.ratelimit).toBe(
      '"new-email";r=29;t=120, "verification-address";r=4;t=720, "own-password";r=10;t=0',
    );
  });
});

describe('a new email address', () => {
  it('is limited for each user, so nobody keeps its owner from it', async () => {
    const [mallory, ann] = [await newUserOf('user'), await newUserOf('user')];
    const email = newEmail();
    const ask = ({ token }: Person, currentPassword: string) => {
      moveTo();
      return send('PUT /api/users/me', { token, body: { email, currentPassword } });
    };
    const guess = () => ask(mallory, 'wrong');
    expect(await statusesOf(6, guess)).toEqual([...times(5, 400), 429]);
    expect((await ask(ann, password)).status).toBe(200);
  });
});

describe('POST /api/markdown', () => {
  it('accepts 30 requests per minute and address', async () => {
    const convert = () => send('POST /api/markdown', { body: { markdown: 'Hi' } });
    expect(await statusesOf(31, convert)).toEqual([...times(30, 200), 429]);
    vi.setSystemTime(start + 2_000);
    expect(await statusesOf(2, convert)).toEqual([200, 429]);
  });
});

describe('POST /api/share', () => {
  it('accepts 30 requests in 10 minutes per user, over all addresses', async () => {
    const [ann, bob] = [await newUserOf('user'), await newUserOf('user')];
    const share = ({ token }: Person) => {
      moveTo();
      return send('POST /api/share', { token, body: { content: 'Hi' } });
    };
    expect(await statusesOf(31, () => share(ann))).toEqual([...times(30, 201), 429]);
    expect((await share(bob)).status).toBe(201);
  });
});

describe('the password of a share', () => {
  const right = 'Abc123';
  const newShare = async (fields: Record<string, unknown> = {}): Promise<string> => {
    const { token } = await newUserOf('user');
    const body = { content: 'Hi', password: right, ...fields };
    return JSON.parse((await send('POST /api/share', { token, body })).text).id;
  };
  const read = (id: string, given: string, method = 'GET') =>
    send(`${method} /api/share?id=${id}`, { headers: { 'x-share-password': given } });
  const open = (id: string, given: string) =>
    send(`POST /s/${id}/open`, {
      body: `password=${given}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });

  it('consumes no token when correct', async () => {
    const id = await newShare();
    expect(await statusesOf(8, () => read(id, right))).toEqual(times(8, 200));
    expect(await statusesOf(8, () => open(id, right))).toEqual(times(8, 303));
    expect((await read(id, right)).headers).toMatchObject({
      'ratelimit-policy': '"share-password";q=5;w=600',
      ratelimit: '"share-password";r=5;t=0',
    });
    expect(await statusesOf(6, () => read(id, 'wrong1'))).toEqual([...times(5, 401), 429]);
  });

  it('may be incorrect 5 times in 10 minutes over all routes', async () => {
    const id = await newShare();
    const encoded = `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`;
    const ways = [
      () => read(id, 'wrong1'),
      () => read(id, 'wrong2', 'HEAD'),
      () => open(id, 'wrong3'),
      () => send(`GET /api/share?id=${id}&password=wrong4`),
      () => send(`GET /api/share?password=wrong5&id=${encoded}`),
    ];
    const wrong = [];
    for (const way of ways) wrong.push((await way()).status);
    expect(wrong).toEqual(times(5, 401));
    const refused = [
      read(id, right),
      read(id, right, 'HEAD'),
      open(id, right),
      open(encoded, right),
    ];
    expect((await Promise.all(refused)).map(({ status }) => status)).toEqual(times(4, 429));
    moveTo();
    expect((await read(id, right)).status).toBe(200);
  });

  it('is rejected by a page that states the waiting time', async () => {
    const id = await newShare();
    expect(await statusesOf(5, () => open(id, 'wrong1'))).toEqual(times(5, 401));
    const { status, headers, text } = await open(id, right);
    expect(status).toBe(429);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'retry-after': '120',
      ratelimit: '"share-password";r=0;t=120',
    });
    expect(text).toContain('<h1>Too many attempts</h1>');
    expect(text).toContain('Too many requests. Try again in 2 minutes.');
    vi.setSystemTime(start + 2 * minuteMs);
    expect((await open(id, right)).status).toBe(303);
  });

  it('consumes no token for an ended or unknown share', async () => {
    const id = await newShare({ viewLimit: 1 });
    expect((await open(id, right)).status).toBe(303);
    expect(await statusesOf(7, () => open(id, right))).toEqual(times(7, 410));
    expect(await statusesOf(7, () => read(id, right))).toEqual(times(7, 410));
    expect((await read(id, right)).headers.ratelimit).toBeUndefined();
    expect(await statusesOf(7, () => read('nothing', right))).toEqual(times(7, 404));
  });

  it('may be incorrect 60 times per hour over all addresses', async () => {
    const id = await newShare();
    const ofAll = passwordLimits(() => id).find(({ name }) => name === 'share-password-all');
    if (!ofAll) throw new Error('There is no limit of all addresses');
    for (let taken = 0; taken < 54; taken++)
      await consumeToken(ofAll, id, AbortSignal.timeout(10_000));
    const statuses = await statusesOf(7, () => {
      moveTo();
      return read(id, 'wrong1');
    });
    expect(statuses).toEqual([...times(6, 401), 429]);
    moveTo();
    const { status, headers } = await read(id, right);
    expect(status).toBe(429);
    expect(headers.ratelimit).toBe('"share-password";r=5;t=0, "share-password-all";r=0;t=60');
    expect((await read(await newShare(), right)).status).toBe(200);
  });

  it('consumes no token when the request has no password', async () => {
    const id = await newShare();
    const { status, headers } = await send(`GET /api/share?id=${id}`);
    expect([status, headers.ratelimit]).toEqual([401, undefined]);
  });
});

describe('PUT /api/share/{id}', () => {
  it('limits new content like new shares, and other changes to 300 in 10 minutes', async () => {
    const { token } = await newUserOf('user');
    const made = await send('POST /api/share', { token, body: { content: 'x' } });
    const { id } = JSON.parse(made.text);
    const put = (body: object) => send(`PUT /api/share/${id}`, { token, body });
    expect(await statusesOf(30, () => put({ content: 'y' }))).toEqual([...times(29, 200), 429]);
    expect((await put({ expiresIn: 60 })).headers.ratelimit).toBe('"share-change";r=299;t=2');
    expect((await put({ content: 'z' })).status).toBe(429);
  });
});
