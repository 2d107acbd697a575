import { describe, expect, it, vi } from 'vitest';
import { failConditions, useMockedService } from '../../../support/aws/mocked-service.ts';
import { useVirtualTime } from '../../../support/run/virtual-time.ts';
import { resetPassword } from '../../../support/users/account.ts';
import { codeOf } from '../../../support/users/authenticator.ts';
import {
  beginTotp,
  confirmTotp,
  firstStep,
  newTotpUser,
  nextCode,
  reauthenticate,
  secondStep,
  type WithTotp,
} from '../../../support/users/factors.ts';
import { newResetToken } from '../../../support/users/links.ts';
import { newPerson } from '../../../support/users/test-users.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

useVirtualTime('2026-11-21T12:00:00Z');
const { items, watch } = useMockedService();

const userWrite = /^Update USER#\d+ USER$/;
const factorsUse = /^Update USER#\d+ FACTORS$/;

/** Changes a stored item of a user, as a concurrent request does. */
const change = ({ id }: { readonly id: number }, sk: string, fields: Record<string, unknown>) => {
  items.change(`USER#${id}`, sk, fields);
};

const factorsOf = ({ id }: { readonly id: number }) =>
  items.find(({ pk, sk }) => pk === `USER#${id}` && sk === 'FACTORS');

describe('POST /api/auth/mfa', () => {
  const enter = async (user: WithTotp, fail: Parameters<typeof watch>[1]) => {
    const mfaToken = await firstStep(user.email);
    const code = nextCode(user.secret);
    return (await watch(() => secondStep(mfaToken, code), fail)).result.status;
  };

  it('signs in after a write that changed nothing it needs', async () => {
    const user = await newTotpUser();
    expect(await enter(user, failConditions(userWrite, { times: 1 }))).toBe(200);
  });

  it.each([
    ['all sessions were ended', { sessionEpoch: 7 }],
    ['the factors changed', { factorEpoch: 7 }],
    ['the account was suspended', { status: 'suspended' }],
  ])('returns 401 if %s since the account was read', async (_, fields) => {
    const user = await newTotpUser();
    const first = () => change(user, 'USER', fields);
    expect(await enter(user, failConditions(userWrite, { times: 1, first }))).toBe(401);
  });

  it('returns 400 if the code was used since it was checked', async () => {
    const user = await newTotpUser();
    const first = () => {
      const totp = factorsOf(user)?.['totp'] as { readonly lastStep: number };
      change(user, 'FACTORS', { totp: { ...totp, lastStep: totp.lastStep + 1 } });
    };
    expect(await enter(user, failConditions(factorsUse, { times: 1, first }))).toBe(400);
  });

  it('returns 503 if the account keeps changing', async () => {
    expect(await enter(await newTotpUser(), failConditions(userWrite))).toBe(503);
  });
});

describe('POST /api/auth/totp/confirm', () => {
  const confirm = async (fail: Parameters<typeof watch>[1]) => {
    const { token } = await newPerson();
    const { secret } = (await beginTotp(token)).body.data;
    return (await watch(() => confirmTotp(token, codeOf(secret)), fail)).result.status;
  };

  it('repeats a change that met another, and returns 503 after many', async () => {
    const factorsWrite = /^Put USER#\d+ FACTORS$/;
    expect(await confirm(failConditions(factorsWrite, { times: 1 }))).toBe(200);
    expect(await confirm(failConditions(factorsWrite))).toBe(503);
  });

  it('returns 401 if the session has ended since', async () => {
    expect(await confirm(failConditions(/^Update USER#\d+ SESSION#/))).toBe(401);
  });
});

describe('POST /api/auth/reauthenticate', () => {
  it('returns 401 if the session has ended since', async () => {
    const user = await newTotpUser();
    const code = nextCode(user.secret);
    const { result } = await watch(
      () => reauthenticate(user.token, { code }),
      failConditions(/^Update USER#\d+ SESSION#/),
    );
    expect(result.status).toBe(401);
  });
});

describe('POST /api/auth/reset-password', () => {
  it('ends factors that were set up since the account was read, if it proves the address', async () => {
    const user = await newTotpUser();
    change(user, 'USER', { factorEpoch: undefined, secondFactors: undefined });
    const link = await newResetToken(user.id);
    const first = () => change(user, 'USER', { factorEpoch: 1, secondFactors: ['totp'] });
    const fail = failConditions(userWrite, { times: 1, first });
    const { result, sent } = await watch(() => resetPassword(link), fail);
    expect(result.status).toBe(200);
    const deletes = sent.flatMap(({ input }) => input.TransactItems ?? []).filter((w) => w.Delete);
    expect(deletes.map(({ Delete }) => Delete.Key.sk)).toEqual(['FACTORS']);
    expect(factorsOf(user)).toBeUndefined();
  });
});
