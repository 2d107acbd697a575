import { afterEach, describe, expect, it, vi } from 'vitest';
import { dashboardTexts } from '../../../../functions/web/site/dashboard/texts.ts';
import {
  comparedMonths,
  mergeSmallParts,
  parseView,
  toUrl,
} from '../../../../functions/web/site/dashboard/view.ts';
import { dateIn, formatDue, formatHours } from '../../../../functions/web/site/dashboard/when.ts';
import { call } from '../../../support/service/call.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson, newUserOf } from '../../../support/users/test-users.ts';

useTable();

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('GET /dashboard', () => {
  it('contains the currency of the service', async () => {
    vi.stubEnv('CURRENCY', 'JPY');
    const { token } = await newPerson();
    expect((await call('GET /dashboard', { token })).body).toContain('data-currency="JPY"');
  });

  it('offers the service’s figures only to users with the permission', async () => {
    const [person, guest] = [await newPerson(), await newUserOf('guest')];
    const read = async ({ token }: { token: string }) =>
      (await call('GET /dashboard', { token })).body;
    expect(await read(person)).not.toContain('data-view="service"');
    expect(await read(guest)).toContain('data-view="service"');
  });
});

describe('dashboardTexts', () => {
  it('writes one in the singular', () => {
    expect(dashboardTexts.visitsSum(1, 1_234, 7)).toBe('Last 7 days: 1 visit, 1,234 page views.');
    expect(dashboardTexts.salesSum('€9', '€1', 1, 6)).toBe(
      'Last 6 months: €9 in sales, €1 profit, 1 order.',
    );
  });
});

describe('the dashboard view', () => {
  const plain = { view: 'mine', days: '7', months: '6', by: 'category' } as const;

  it.each([
    ['', plain],
    ['?days=30', { ...plain, days: '30' }],
    ['?view=service', { ...plain, view: 'service' }],
    ['?months=24&by=content', { ...plain, months: '24', by: 'content' }],
    ['?days=8&months=toString&by=', plain],
  ])('is read from the query %j', (query, view) => {
    expect(parseView(query)).toEqual(view);
  });

  it.each([
    '/dashboard',
    '/dashboard?days=90',
    '/dashboard?view=service',
    '/dashboard?days=30&months=12&by=content',
  ])('is written to the URL: %s', (address) => {
    expect(toUrl(parseView(address.replace(/^\/dashboard/, '')))).toBe(address);
  });
});

describe('mergeSmallParts', () => {
  const slices = [5, 1, 3, 1].map((value, at) => ({ name: `n${at}`, value }));

  it('returns the largest parts first and merges the others', () => {
    const { parts, others } = mergeSmallParts(slices, 2);
    expect(parts).toEqual([
      { name: 'n0', value: 5, share: 0.5 },
      { name: 'n2', value: 3, share: 0.3 },
    ]);
    expect(others).toEqual({ name: '', value: 2, share: 0.2, count: 2 });
  });

  it('returns all parts instead of merging a single one', () => {
    const { parts, others } = mergeSmallParts(slices, 3);
    expect(parts.map(({ name }) => name)).toEqual(['n0', 'n2', 'n1', 'n3']);
    expect(others.count).toBe(0);
  });

  it.each([[[]], [[{ name: 'none', value: 0 }]]])(
    'returns no shares for an empty total: %j',
    (none) => {
      const { parts, others } = mergeSmallParts(none, 3);
      expect([...parts, others].map(({ share }) => share)).not.toContain(Number.NaN);
      expect(others.share).toBe(0);
    },
  );
});

describe('comparedMonths', () => {
  it.each([
    ['2026-11-21T12:00:00Z', '2026-10', '2026-09'],
    ['2026-01-31T23:59:59Z', '2025-12', '2025-11'],
    ['2026-03-31T00:00:00Z', '2026-02', '2026-01'],
  ])('returns for %s the months %s and %s', (now, ...months) => {
    expect(comparedMonths(new Date(now)).map((day) => day.toISOString().slice(0, 7))).toEqual(
      months,
    );
  });
});

/** Some versions of ICU set a narrow space before AM. */
const plainSpaces = (text = '') => text.replaceAll('\u202f', ' ');

describe('formatDue', () => {
  const now = new Date('2026-11-21T23:30:00Z');

  it.each([
    ['2026-11-21T23:30:00.000Z', 'UTC', 'Nov 21, 2026, 11:30 PM', '2026-11-21', false],
    ['2026-11-21T23:29:59.000Z', 'UTC', 'Nov 21, 2026, 11:29 PM', '2026-11-21', true],
    ['2026-11-22T01:00:00.000Z', 'Asia/Tokyo', 'Nov 22, 2026, 10:00 AM', '2026-11-22', false],
    ['2026-11-22', 'UTC', 'Nov 21, 2026', '2026-11-21', false],
    ['2026-11-22', 'Asia/Tokyo', 'Nov 21, 2026', '2026-11-21', true],
    ['2026-11-21', 'America/New_York', 'Nov 20, 2026', '2026-11-20', true],
    ['2026-03-01', 'UTC', 'Feb 28, 2026', '2026-02-28', true],
  ])('formats %s in %s as %s on %s (expired: %s)', (dueDate, zone, text, day, isExpired) => {
    const due = formatDue(dueDate, now, zone, 'en-US');
    expect({ ...due, text: plainSpaces(due.text) }).toEqual({ text, day, isOver: isExpired });
  });
});

describe('formatHours', () => {
  const on = (start: string, end: string, zone: string, allDay = false) => {
    const { from, to } = formatHours('2026-11-21', { start, end, allDay }, zone, 'en-US');
    return [plainSpaces(from), plainSpaces(to)];
  };

  it.each([
    ['2026-11-21T09:00:00Z', '2026-11-21T10:30:00Z', 'UTC', ['9:00 AM', '10:30 AM']],
    ['2026-11-21T00:00:00Z', '2026-11-21T01:00:00Z', 'Asia/Tokyo', ['9:00 AM', '10:00 AM']],
    ['2026-11-20T22:00:00Z', '2026-11-21T01:00:00Z', 'UTC', ['', '1:00 AM']],
    ['2026-11-21T22:00:00Z', '2026-11-22T00:00:00Z', 'UTC', ['10:00 PM', '12:00 AM']],
    ['2026-11-21T22:00:00Z', '2026-11-22T00:00:01Z', 'UTC', ['10:00 PM', '']],
    ['2026-11-20T22:00:00Z', '2026-11-23T00:00:00Z', 'UTC', ['', '']],
    ['2026-11-21T00:00:00Z', '2026-11-21T00:00:00Z', 'UTC', ['12:00 AM', '12:00 AM']],
  ])('formats %s to %s in %s as %j', (start, end, zone, hours) => {
    expect(on(start, end, zone)).toEqual(hours);
  });

  it('returns no hours for an all-day event', () => {
    expect(on('2026-11-21', '2026-11-22', 'UTC', true)).toEqual(['', '']);
  });

  it('uses the date in the time zone', () => {
    const at = new Date('2026-11-21T23:30:00Z');
    expect(['UTC', 'Asia/Tokyo', 'America/New_York'].map((zone) => dateIn(at, zone))).toEqual([
      '2026-11-21',
      '2026-11-22',
      '2026-11-21',
    ]);
  });
});
