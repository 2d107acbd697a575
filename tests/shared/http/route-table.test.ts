import { describe, expect, it } from 'vitest';
import { createRouteTable } from '../../../shared/http/route-table.ts';

describe('a route table', () => {
  const find = createRouteTable(
    [
      '/',
      '/people/me',
      '/people/{id}',
      '/people/me/friends',
      '/people/{id}/friends/{friend}',
      '/{page}/about',
      '/feeds/{feed}',
      '/feeds/all/{year}',
    ].map((path) => ({ path, value: path })),
  );

  it.each([
    ['/', '/', {}],
    ['/people/me', '/people/me', {}],
    ['/people/mel', '/people/{id}', { id: 'mel' }],
    ['/people/me/friends', '/people/me/friends', {}],
    ['/people/me/friends/7', '/people/{id}/friends/{friend}', { id: 'me', friend: '7' }],
    ['/people/about', '/people/{id}', { id: 'about' }],
    ['/other/about', '/{page}/about', { page: 'other' }],
    ['/feeds/all', '/feeds/{feed}', { feed: 'all' }],
    ['/feeds/a%2Fb', '/feeds/{feed}', { feed: 'a%2Fb' }],
    ['/feeds/__proto__', '/feeds/{feed}', { feed: '__proto__' }],
  ])('finds %s', (path, value, params) => {
    expect(find(path)).toEqual({ value, params });
  });

  it.each([
    '',
    '//',
    '/people',
    '/people/',
    '/people//friends/7',
    '/People/me',
    '/people/me/',
    '/people/1/2',
    '/%70eople/me',
    '/feeds/all/2026/11',
    '/constructor',
  ])('finds nothing for %s', (path) => {
    expect(find(path)).toBeUndefined();
  });
});
