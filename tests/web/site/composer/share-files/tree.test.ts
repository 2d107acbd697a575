import { describe, expect, it } from 'vitest';
import {
  findNeighbor,
  listRows,
  moveInTree,
} from '../../../../../functions/web/site/composer/browser/parts/share-files/model/tree.ts';

const paths = [
  'style.css',
  'img/plan-10.svg',
  'img/plan-2.svg',
  'a.html',
  'index.html',
  'img/b/c.png',
];
const none: ReadonlySet<string> = new Set();

const list = (collapsed = none) =>
  listRows(paths, 'index.html', collapsed).map(({ path, level }) => `${level} ${path}`);

describe('listRows', () => {
  it('lists the main page, files and then folders, by name and number', () => {
    expect(list()).toEqual([
      '1 index.html',
      '1 a.html',
      '1 style.css',
      '1 img',
      '2 img/plan-2.svg',
      '2 img/plan-10.svg',
      '2 img/b',
      '3 img/b/c.png',
    ]);
  });

  it('leaves out what is in a collapsed folder, and counts siblings', () => {
    expect(list(new Set(['img'])).at(-1)).toBe('1 img');
    const rows = listRows(paths, 'index.html', none);
    expect(rows.find(({ path }) => path === 'img/plan-10.svg')).toMatchObject({
      name: 'plan-10.svg',
      position: 2,
      siblings: 3,
    });
  });
});

describe('moveInTree', () => {
  const rows = listRows(paths, 'index.html', none);
  const closed = listRows(paths, 'index.html', new Set(['img']));

  it.each([
    ['index.html', 'ArrowDown', { focus: 'a.html' }],
    ['index.html', 'ArrowUp', undefined],
    ['index.html', 'End', { focus: 'img/b/c.png' }],
    ['img/b/c.png', 'Home', { focus: 'index.html' }],
    ['img/b/c.png', 'ArrowDown', undefined],
    ['img', 'ArrowRight', { focus: 'img/plan-2.svg' }],
    ['img', 'ArrowLeft', { toggle: 'img' }],
    ['img/plan-2.svg', 'ArrowLeft', { focus: 'img' }],
    ['a.html', 'ArrowLeft', undefined],
    ['index.html', 'P', { focus: 'img/plan-2.svg' }],
    ['img/plan-2.svg', 'p', { focus: 'img/plan-10.svg' }],
    ['img/plan-10.svg', 'p', { focus: 'img/plan-2.svg' }],
    ['index.html', 'z', undefined],
    ['index.html', 'Shift', undefined],
    ['gone', 'ArrowDown', undefined],
  ])('at %s, %s leads to %j', (path, key, expected) => {
    expect(moveInTree(rows, path, key)).toEqual(expected);
  });

  it('expands a collapsed folder', () => {
    expect(moveInTree(closed, 'img', 'ArrowRight')).toEqual({ toggle: 'img' });
  });
});

describe('findNeighbor', () => {
  const rows = listRows(paths, 'index.html', none);

  it('returns the next row that stays, or else the one before', () => {
    expect(findNeighbor(rows, 'a.html', (path) => path === 'a.html')).toBe('style.css');
    expect(findNeighbor(rows, 'img', (path) => path.startsWith('img'))).toBe('style.css');
    expect(findNeighbor(rows, 'img', () => true)).toBeUndefined();
  });
});
