import { describe, expect, it } from 'vitest';
import {
  isOfPage,
  matchesView,
  parseView,
  type Sort,
  sortShares,
  toUrl,
} from '../../../../functions/web/site/shares/view.ts';

const parse = (query: string) => parseView(new URLSearchParams(query));

describe('parseView and toUrl', () => {
  it.each([
    '/shares',
    '/shares?search=%C3%8Ele',
    '/shares?search=a+b&status=ended',
    '/shares?status=taken-down&sort=-views',
  ])('keep %s', (url) => {
    expect(toUrl(parse(url.slice('/shares'.length)))).toBe(url);
  });

  it('ignore unknown values', () => {
    expect(parse('status=gone&page=2&sort=size')).toEqual({
      search: '',
      status: 'all',
      sort: 'createdAt',
    });
  });
});

describe('matchesView', () => {
  const share = { title: 'Trip to Île-de-France', description: 'Where we WERE', status: 'active' };
  it.each([
    ['', true],
    ['trip', true],
    ['île where', true],
    ['ile', true],
    ['TRIP were', true],
    ['trip rome', false],
  ])('returns for the search %j: %s', (search, isFound) => {
    expect(matchesView(share, { search, status: 'all' })).toBe(isFound);
  });

  it('returns false for a share without words', () => {
    const none = { title: null, description: null, status: 'active' };
    expect(matchesView(none, { search: 'null', status: 'all' })).toBe(false);
  });

  it.each([
    ['active', 'active', true],
    ['active', 'ended', false],
    ['taken-down', 'ended', false],
    ['taken-down', 'taken-down', true],
    ['suspended', 'active', false],
  ] as const)('finds a share that is %s among %s: %s', (status, filter, isFound) => {
    expect(matchesView({ ...share, status }, { search: '', status: filter })).toBe(isFound);
  });
});

describe('sortShares', () => {
  const share = (
    title: string | null,
    views: number,
    expiresAt: string | null,
    status = 'active',
  ) => ({
    title,
    views,
    expiresAt,
    status,
  });
  const shares = [
    share('Part 10', 3, null),
    share(null, 9, '2026-12-02T00:00:00Z'),
    share('Part 2', 3, '2026-12-01T00:00:00Z'),
    share('past', 5, '2026-11-01T00:00:00Z', 'ended'),
  ];
  it.each<[Sort, readonly (string | null)[]]>([
    ['createdAt', ['Part 10', null, 'Part 2', 'past']],
    ['-createdAt', ['Part 10', null, 'Part 2', 'past']],
    ['title', ['Part 2', 'Part 10', 'past', null]],
    ['-title', [null, 'past', 'Part 10', 'Part 2']],
    ['views', [null, 'past', 'Part 10', 'Part 2']],
    ['-views', ['Part 10', 'Part 2', 'past', null]],
    ['expiresAt', ['Part 2', null, 'Part 10', 'past']],
    ['-expiresAt', ['past', 'Part 10', null, 'Part 2']],
  ])('sorts by %s', (sort, expected) => {
    expect(sortShares(shares, sort).map(({ title }) => title)).toEqual(expected);
  });

  it('leaves what the API sorts to the API', () => {
    const view = { search: ' ', status: 'ended' } as const;
    expect(isOfPage({ ...view, sort: '-createdAt' })).toBe(false);
    expect(isOfPage({ ...view, sort: 'title' })).toBe(true);
    expect(isOfPage({ ...view, sort: 'createdAt', search: 'a' })).toBe(true);
  });
});
