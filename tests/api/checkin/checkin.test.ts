import { afterEach, describe, expect, it, vi } from 'vitest';
import { nextDayStart, subtractDays, toDay } from '../../../functions/api/checkin/calendar-day.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson, newUserOf } from '../../support/users/test-users.ts';

useTable();
afterEach(() => {
  vi.useRealTimers();
  delete process.env['CHECKIN_TIMEZONE'];
});

const at = (time: string) =>
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${time}Z`).getTime() });
const newcomer = async (time: string) => {
  at(time);
  // Avoids registration, whose rate limit assumes that time moves forward.
  return newUserOf('user');
};
const again = async (refreshToken: string) =>
  (await call('POST /api/auth/refresh', { body: { refreshToken } })).body;
const checkIn = (token: string) => call('POST /api/checkin', { token });

describe('POST /api/checkin', () => {
  it('awards 20 to 50 points and starts a streak', async () => {
    const { token } = await newPerson();
    const { status, body } = await checkIn(token);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      points: expect.any(Number),
      totalPoints: body.points,
      streak: 1,
      message: `You earned ${body.points} points. Total: ${body.points}. Streak: 1 day.`,
    });
    expect(body.points).toBeGreaterThanOrEqual(20);
    expect(body.points).toBeLessThanOrEqual(50);
  });

  it('awards one of 50 concurrent check-ins', async () => {
    const { token } = await newPerson();
    const responses = await Promise.all(Array.from({ length: 50 }, () => checkIn(token)));
    const awarded = responses.filter(({ status }) => status === 200);
    expect(awarded).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(49);
    const { body } = await call('GET /api/checkin', { token });
    expect(body).toMatchObject({ totalPoints: awarded[0]?.body.points, streak: 1 });
  });

  it('returns 409 with the next time for a second check-in on the same day', async () => {
    const { token } = await newcomer('2026-05-01T10:00:00');
    const { totalPoints } = (await checkIn(token)).body;
    const { status, body } = await checkIn(token);
    expect(status).toBe(409);
    expect(body).toMatchObject({
      success: false,
      error: { code: 'CONFLICT', details: [] },
      points: 0,
      totalPoints,
      streak: 1,
      message: 'Already checked in today. Next check-in: 2026-05-02T00:00:00.000Z.',
    });
  });

  it('continues the streak of yesterday and restarts it after a skipped day', async () => {
    const { token, refreshToken } = await newcomer('2026-02-27T23:59:00');
    const first = (await checkIn(token)).body;
    at('2026-02-28T00:01:00');
    const second = (await checkIn(token)).body;
    expect(second.streak).toBe(2);
    expect(second.totalPoints).toBe(first.points + second.points);
    at('2026-03-01T12:00:00');
    const march = await again(refreshToken);
    expect((await checkIn(march.accessToken)).body.streak).toBe(3);
    at('2026-03-03T12:00:00');
    const later = await again(march.refreshToken);
    expect((await call('GET /api/checkin', { token: later.accessToken })).body).toMatchObject({
      checkedIn: false,
      streak: 0,
      nextCheckinAt: '2026-03-03T12:00:00.000Z',
      history: [{ day: '2026-03-01' }, { day: '2026-02-28' }, { day: '2026-02-27' }],
    });
    expect((await checkIn(later.accessToken)).body.streak).toBe(1);
  });

  it('uses days in CHECKIN_TIMEZONE', async () => {
    process.env['CHECKIN_TIMEZONE'] = 'Asia/Tokyo';
    const { token } = await newcomer('2026-05-01T14:50:00');
    expect((await checkIn(token)).status).toBe(200);
    at('2026-05-01T14:59:59');
    expect((await checkIn(token)).status).toBe(409);
    at('2026-05-01T15:00:00');
    expect((await checkIn(token)).body.streak).toBe(2);
  });
});

describe('GET /api/checkin', () => {
  it('returns an empty state before the first check-in', async () => {
    const { token } = await newcomer('2026-05-01T10:00:00');
    expect((await call('GET /api/checkin', { token })).body).toEqual({
      checkedIn: false,
      totalPoints: 0,
      streak: 0,
      nextCheckinAt: '2026-05-01T10:00:00.000Z',
      history: [],
    });
  });
});

describe('calendar days', () => {
  it.each([
    ['UTC', '2026-05-01T23:59:59Z', '2026-05-01', '2026-05-02T00:00:00.000Z'],
    ['Europe/Berlin', '2026-03-28T23:30:00Z', '2026-03-29', '2026-03-29T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-24T22:30:00Z', '2026-10-25', '2026-10-25T23:00:00.000Z'],
    ['America/New_York', '2026-11-01T04:30:00Z', '2026-11-01', '2026-11-02T05:00:00.000Z'],
    ['Africa/Cairo', '2026-04-23T12:00:00Z', '2026-04-23', '2026-04-23T22:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-12-31T10:00:00Z', '2027-01-01', '2027-01-01T10:00:00.000Z'],
  ])('of %s at %s is %s, and the next starts at %s', (zone, time, day, next) => {
    const instant = Date.parse(time);
    expect(toDay(instant, zone)).toBe(day);
    expect(new Date(nextDayStart(instant, zone)).toISOString()).toBe(next);
  });

  it('are subtracted across months and leap days', () => {
    expect(subtractDays('2028-03-01', 1)).toBe('2028-02-29');
    expect(subtractDays('2027-01-01', 1)).toBe('2026-12-31');
    expect(subtractDays('2026-03-31', 30)).toBe('2026-03-01');
  });
});
