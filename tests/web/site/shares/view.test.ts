import { describe, expect, it } from 'vitest';
import {
  endsSoon,
  isOfPage,
  matchesReceived,
  matchesView,
  parseView,
  type Sort,
  sortReceived,
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
    '/shares?who=people&open=mZ3kP0cWbq7x1VvH9sTt2A&tab=links',
    '/shares?with=me&search=a&from=7&sort=-title',
    '/shares?with=requests&open=b7Qw2LxkT0mR9sVhE3yJ1g',
  ])('keep %s', (url) => {
    expect(toUrl(parse(url.slice('/shares'.length)))).toBe(url);
  });

  it('ignore unknown values', () => {
    expect(parse('with=you&status=gone&page=2&sort=size&who=me&from=x&open=../a&tab=all')).toEqual({
      with: 'mine',
      search: '',
      status: 'all',
      who: 'all',
      from: undefined,
      sort: 'createdAt',
      open: undefined,
      tab: 'details',
    });
    // What others share has no views of its own.
    expect(parse('with=me&sort=views').sort).toBe('createdAt');
  });
});

describe('matchesView', () => {
  const share = {
    title: 'Trip to Île-de-France',
    description: 'Where we WERE',
    status: 'active',
    audience: 'people',
  };
  const all = { search: '', status: 'all', who: 'all' } as const;
  it.each([
    ['', true],
    ['trip', true],
    ['île where', true],
    ['ile', true],
    ['TRIP were', true],
    ['trip rome', false],
  ])('returns for the search %j: %s', (search, isFound) => {
    expect(matchesView(share, { ...all, search })).toBe(isFound);
  });

  it('returns false for a share without words', () => {
    const none = { ...share, title: null, description: null };
    expect(matchesView(none, { ...all, search: 'null' })).toBe(false);
  });

  it.each([
    ['active', 'active', true],
    ['active', 'ended', false],
    ['taken-down', 'ended', false],
    ['taken-down', 'taken-down', true],
    ['suspended', 'active', false],
  ] as const)('finds a share that is %s among %s: %s', (status, filter, isFound) => {
    expect(matchesView({ ...share, status }, { ...all, status: filter })).toBe(isFound);
  });

  it('finds shares by who can open them', () => {
    expect(matchesView(share, { ...all, who: 'people' })).toBe(true);
    expect(matchesView(share, { ...all, who: 'link' })).toBe(false);
  });
});

describe('the shares for the user', () => {
  const toShare = (title: string | null, id: number, name: string) => ({
    title,
    from: { id, name },
  });
  const shares = [
    toShare('Part 10', 7, 'Ana'),
    toShare(null, 8, 'Bo'),
    toShare('Part 2', 7, 'Ana'),
  ];

  it('are found by title and who shares them, and filtered by the latter', () => {
    const find = (query: string) =>
      shares.filter((one) => matchesReceived(one, parse(query))).map(({ title }) => title);
    expect(find('search=part+2')).toEqual(['Part 2']);
    expect(find('search=bo')).toEqual([null]);
    expect(find('from=7')).toEqual(['Part 10', 'Part 2']);
  });

  it.each<[Sort, readonly (string | null)[]]>([
    ['createdAt', ['Part 10', null, 'Part 2']],
    ['title', ['Part 2', 'Part 10', null]],
    ['-title', [null, 'Part 10', 'Part 2']],
  ])('are sorted by %s', (sort, expected) => {
    expect(sortReceived(shares, sort).map(({ title }) => title)).toEqual(expected);
  });
});

describe('endsSoon', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  it.each([
    ['active', '2026-11-22T11:00:00Z', true],
    ['active', '2026-11-22T13:00:00Z', false],
    ['ended', '2026-11-21T11:00:00Z', false],
    ['active', null, false],
  ])('is for a share that is %s and ends at %s: %s', (status, expiresAt, isSoon) => {
    expect(endsSoon({ title: '', views: 0, status, expiresAt }, now)).toBe(isSoon);
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
    const isOf = (query: string) => isOfPage(parse(query));
    expect(isOf('search=+&status=ended&sort=-createdAt')).toBe(false);
    for (const query of ['sort=title', 'search=a', 'who=link', 'with=me&from=7']) {
      expect(isOf(query)).toBe(true);
    }
  });
});
