import { describe, expect, it } from 'vitest';
import { matchesView, parseView, toUrl } from '../../../../functions/web/site/shares/view.ts';

const parse = (query: string) => parseView(new URLSearchParams(query));

describe('parseView and toUrl', () => {
  it.each(['/shares', '/shares?search=%C3%8Ele', '/shares?search=a+b&status=ended'])(
    'keep %s',
    (url) => {
      expect(toUrl(parse(url.slice('/shares'.length)))).toBe(url);
    },
  );

  it('ignore unknown values', () => {
    expect(parse('status=gone&page=2')).toEqual({ search: '', status: 'all' });
  });
});

describe('matchesView', () => {
  const share = { title: 'Trip to Île-de-France', description: 'Where we WERE', status: 'active' };
  it.each([
    ['', true],
    ['trip', true],
    ['île where', true],
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
    ['taken-down', 'ended', true],
    ['suspended', 'active', false],
  ] as const)('finds a share that is %s among %s: %s', (status, filter, isFound) => {
    expect(matchesView({ ...share, status }, { search: '', status: filter })).toBe(isFound);
  });
});
