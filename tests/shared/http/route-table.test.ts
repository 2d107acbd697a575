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
      '/{site}/{path+}',
      '/feeds/{feed}/in/{path+}',
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
    ['/people/', '/{site}/{path+}', { site: 'people', path: '' }],
    ['/people/1/2', '/{site}/{path+}', { site: 'people', path: '1/2' }],
    ['/people/me/', '/{site}/{path+}', { site: 'people', path: 'me/' }],
    ['/people//friends/7', '/{site}/{path+}', { site: 'people', path: '/friends/7' }],
    ['/feeds/a/in/b/c', '/feeds/{feed}/in/{path+}', { feed: 'a', path: 'b/c' }],
    ['/feeds/a/in', '/{site}/{path+}', { site: 'feeds', path: 'a/in' }],
    ['/feeds/a/in/', '/feeds/{feed}/in/{path+}', { feed: 'a', path: '' }],
    ['/a/%2F/../b c', '/{site}/{path+}', { site: 'a', path: '%2F/../b c' }],
  ])('finds %s', (path, value, params) => {
    expect(find(path)).toEqual({ value, params });
  });

  it.each(['', '//', '///', '/people', '//people', '/constructor'])(
    'finds nothing for %s',
    (path) => {
      expect(find(path)).toBeUndefined();
    },
  );
});
