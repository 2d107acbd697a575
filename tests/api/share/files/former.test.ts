import { expect, it } from 'vitest';
import { mergeManifest } from '../../../../functions/api/share/files/merge.ts';

const file = (at: number) => ({ size: 1, sha256: `${at}`, object: `${at}` });

it('keeps 2,000 former files, the newest, however small they are', () => {
  const former = Array.from({ length: 2_000 }, (_, at) => ({ ...file(at), until: 1_000 + at }));
  const before = { main: 'a.html', former, files: [{ ...file(9_999), path: 'a.txt', type: '' }] };
  const next = mergeManifest(before, { main: 'a.html', files: [] }, 1);
  expect(next.former).toHaveLength(2_000);
  expect(next.former[0]?.object).toBe('9999');
  expect(next.former.some(({ object }) => object === '0')).toBe(false);
});
