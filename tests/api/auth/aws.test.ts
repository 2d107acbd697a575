import { describe, expect, it, vi } from 'vitest';
import { accessDenied, conditionFailed, passingErrors } from '../../support/aws/errors.ts';
import { failConditions, useMockedService } from '../../support/aws/mocked-service.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { login, newEmail, newPerson, register } from '../../support/users/test-users.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

useVirtualTime('2026-11-21T12:00:00Z');
const service = useMockedService();
const { watch } = service;

/** Changes the stored account of a user, as a concurrent request does. */
const changeUser =
  ({ id }: { readonly id: number }, fields: Record<string, unknown>) =>
  () =>
    service.items.change(`USER#${id}`, 'USER', fields);

describe('POST /api/auth/register', () => {
  it.each(['the address', 'the address and the username'])(
    'returns 409 if %s is taken',
    async (what) => {
      const taken = failConditions(
        what === 'the address' ? /^Put EMAIL#/ : /^Put (EMAIL|USERNAME)#/,
      );
      const { result } = await watch(() => register(newEmail()), taken);
      expect(result).toMatchObject({
        status: 409,
        body: {
          error: {
            details: [
              { field: 'email', message: expect.stringMatching(/^is already registered: /) },
            ],
          },
        },
      });
    },
  );

  it.each(['USERNAME', 'USER'])('takes another %s if the first is taken', async (taken) => {
    const fail = failConditions(new RegExp(`^Put ${taken}#\\S+ ${taken}$`), { times: 1 });
    const { result } = await watch(() => register('ann@example.com'), fail);
    expect(result).toMatchObject({ status: 201, body: { user: { email: 'ann@example.com' } } });
    expect(result.body.user.username).toMatch(/^ann-\d{1,4}$/);
  });

  it('returns 503 if no username is available', async () => {
    const { result } = await watch(() => register(newEmail()), failConditions(/^Put USERNAME#/));
    expect([result.status, result.headers['retry-after']]).toEqual([503, '1']);
  });
});

describe('POST /api/auth/login', () => {
  const signIn = async (fields: Record<string, unknown>) => {
    const ann = await newPerson();
    const first = changeUser(ann, fields);
    const { result } = await watch(
      () => login(ann.email),
      failConditions(/^Update USER#/, { times: 1, first }),
    );
    return result;
  };

  it('returns 401 if the account was suspended since it was read', async () => {
    expect(await signIn({ status: 'suspended' })).toMatchObject({ status: 401 });
  });

  it('creates a valid session after all sessions were ended concurrently', async () => {
    const { status, body } = await signIn({ sessionEpoch: 7 });
    expect(status).toBe(200);
    expect((await call('GET /api/auth/me', { token: body.accessToken })).status).toBe(200);
  });

  it.each(['an unknown address', 'a wrong password'])(
    'returns 503 if the failed sign-in with %s can’t be audited',
    async (what) => {
      const { email } = await newPerson();
      const body = {
        email: what === 'a wrong password' ? email : newEmail(),
        password: 'wrong horse',
      };
      const { result } = await watch(
        () => call('POST /api/auth/login', { body }),
        ({ name }) => (name === 'TransactWrite' ? passingErrors()[0]?.[1] : undefined),
      );
      expect(result.status).toBe(503);
    },
  );
});

describe('POST /api/auth/refresh', () => {
  it('returns the same tokens after a lost response, for 24 h', async () => {
    const { refreshToken } = await newPerson();
    const refresh = () => call('POST /api/auth/refresh', { body: { refreshToken } });
    const first = await refresh();
    // The mocked table accepts each write; the real one rejects the second.
    const met = service.items.find(({ sk }) => String(sk).startsWith('SESSION#'));
    const again = () =>
      watch(refresh, ({ name }) => (name === 'Update' ? conditionFailed(met) : undefined));
    pass(24 * 60 * 60_000 - 1);
    expect((await again()).result).toMatchObject({
      status: 200,
      body: { refreshToken: first.body.refreshToken },
    });
    pass(1);
    expect((await again()).result.status).toBe(401);
  });

  it('rejects a token if its session ended after it was read', async () => {
    const { refreshToken } = await newPerson();
    const { result } = await watch(
      () => call('POST /api/auth/refresh', { body: { refreshToken } }),
      ({ name }) => (name === 'Update' ? conditionFailed() : undefined),
    );
    expect(result.status).toBe(401);
  });
});

describe('the time of last use', () => {
  it.each([
    ...passingErrors().slice(0, 1),
    ['AccessDenied', accessDenied()] as const,
    ['a session that is gone', conditionFailed()] as const,
  ])('fails no request after %s', async (_, error) => {
    const { cookies = [] } = await login((await newPerson()).email);
    pass(3_600_000);
    const { result, sent } = await watch(
      () => call('GET /api/auth/me', { cookies: [cookies[0]?.split(';')[0] ?? ''] }),
      ({ name }) => (name === 'Update' ? error : undefined),
    );
    expect(sent.map(({ name }) => name)).toContain('Update');
    expect(result.status).toBe(200);
  });
});

describe('POST /api/auth/forgot-password', () => {
  const forgot = (email: string) => () =>
    call('POST /api/auth/forgot-password', { body: { email } });

  it('does the same for known and unknown addresses, without a lookup', async () => {
    vi.stubEnv('MAIL_FROM', 'handbill@example.com');
    const { email } = await newPerson();
    const [known, unknown] = [await watch(forgot(email)), await watch(forgot(newEmail()))];
    vi.unstubAllEnvs();
    const names = known.sent.map(({ name }) => name);
    expect(names).toEqual(['Update', 'Update', 'SendMessage']);
    expect(unknown.sent.map(({ name }) => name)).toEqual(names);
    expect(known.result.body).toEqual(unknown.result.body);
  });

  it('returns 200 if neither the queue nor the table accepts the job', async () => {
    vi.stubEnv('MAIL_FROM', 'handbill@example.com');
    const { email } = await newPerson();
    const { result } = await watch(forgot(email), () => passingErrors()[0]?.[1]);
    vi.unstubAllEnvs();
    expect(result.status).toBe(200);
  });
});

describe('POST /api/auth/tokens', () => {
  it('counts again after a concurrent creation, and returns 409 after many', async () => {
    const { token } = await newPerson();
    const create = () => call('POST /api/auth/tokens', { token, body: { name: 'x' } });
    const once = await watch(create, failConditions(/^Update USER#/, { times: 1 }));
    expect(once.result.status).toBe(201);
    const always = await watch(create, failConditions(/^Update USER#/));
    expect(always.result.status).toBe(409);
  });
});
