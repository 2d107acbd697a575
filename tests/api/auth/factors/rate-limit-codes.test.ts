import { describe, expect, it, vi } from 'vitest';
import { statusesOf, times, useLimitedService } from '../../../support/service/limited-service.ts';
import { useTable } from '../../../support/table/table.ts';
import { codeOf, stepMs, wrongCode } from '../../../support/users/authenticator.ts';
import { newTotpUser } from '../../../support/users/factors.ts';
import { password } from '../../../support/users/test-users.ts';

useTable();
const { start, moveTo, send } = useLimitedService();

const minuteMs = 60_000;
const to = (ms: number) => vi.setSystemTime(start + ms);

const firstStep = async (email: string): Promise<string> => {
  const { text } = await send('POST /api/auth/login', { body: { email, password } });
  return JSON.parse(text).data.mfaToken;
};

const enter = (mfaToken: string, code: string) =>
  send('POST /api/auth/mfa', { body: { mfaToken, code } });

describe('codes', () => {
  it('can be wrong 5 times in 15 minutes, then wait', async () => {
    const { email, secret } = await newTotpUser();
    const mfaToken = await firstStep(email);
    const wrong = wrongCode(secret);
    expect(await statusesOf(7, () => enter(mfaToken, wrong))).toEqual([
      ...times(5, 400),
      ...times(2, 429),
    ]);
    const refused = await enter(mfaToken, codeOf(secret, start + stepMs));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBe(180);
    to(3 * minuteMs);
    expect((await enter(mfaToken, codeOf(secret))).status).toBe(200);
  });

  it('are counted for the user, whatever the network, the sign-in and the session', async () => {
    const user = await newTotpUser();
    const wrong = wrongCode(user.secret);
    for (let at = 0; at < 3; at++) {
      moveTo();
      expect((await enter(await firstStep(user.email), wrong)).status).toBe(400);
    }
    const prove = (code: string) =>
      send('POST /api/auth/reauthenticate', { token: user.token, body: { code } });
    expect((await prove(wrong)).status).toBe(400);
    expect((await prove(wrong)).status).toBe(400);
    expect((await prove(wrong)).status).toBe(429);
    moveTo();
    expect((await enter(await firstStep(user.email), wrong)).status).toBe(429);
    const other = await newTotpUser();
    expect((await enter(await firstStep(other.email), wrong)).status).toBe(400);
  });

  it('can be wrong 30 times a day and, until then, one more every 48 minutes', async () => {
    const { email, secret } = await newTotpUser();
    const wrong = wrongCode(secret);
    let refusedAt = 0;
    let tries = 0;
    for (let minute = 0; minute < 24 * 60 && refusedAt === 0; minute += 15) {
      to(minute * minuteMs);
      moveTo();
      const mfaToken = await firstStep(email);
      for (let at = 0; at < 5; at++) {
        const { status } = await enter(mfaToken, wrongCode(secret));
        if (status === 400) tries++;
        else refusedAt ||= minute;
      }
    }
    expect(wrong).toHaveLength(6);
    expect([tries, refusedAt]).toEqual([31, 90]);
  });

  it('that are right use nothing up', async () => {
    const { email, secret } = await newTotpUser();
    for (let at = 1; at <= 8; at++) {
      to(at * stepMs);
      expect((await enter(await firstStep(email), codeOf(secret))).status).toBe(200);
    }
  });

  it('of forged and expired tokens count for no one', async () => {
    const { email, secret } = await newTotpUser();
    const old = await firstStep(email);
    to(5 * minuteMs);
    expect(await statusesOf(6, () => enter(old, wrongCode(secret)))).toEqual(times(6, 401));
    expect(await statusesOf(6, () => enter(`${old}x`, wrongCode(secret)))).toEqual(times(6, 401));
    expect((await enter(await firstStep(email), codeOf(secret))).status).toBe(200);
  });
});
