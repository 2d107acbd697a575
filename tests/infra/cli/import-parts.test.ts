import { describe, expect, it } from 'vitest';
import { createPresent } from '../../../infra/cli/source/archives/import/present.ts';

const list = async function* <Item>(items: readonly Item[]) {
  yield* items;
};

describe('what the service has', () => {
  it('stands for one record of the archive each, and is read only if it may be one', async () => {
    const read: number[] = [];
    const items = [
      { id: 1, title: 'A', content: 'x' },
      { id: 2, title: 'A', content: 'y' },
      { id: 3, title: 'A', content: 'x' },
      { id: 4, title: 'B', content: 'x' },
    ];
    const present = await createPresent(
      list(items),
      ({ title }) => title,
      async ({ id, content }) => {
        read.push(id);
        return content;
      },
    );
    expect((await present.take('A', 'y'))?.id).toBe(2);
    expect((await present.take('A', 'x'))?.id).toBe(1);
    expect((await present.take('A', 'x'))?.id).toBe(3);
    expect(await present.take('A', 'x')).toBeUndefined();
    expect(await present.take('C', 'x')).toBeUndefined();
    expect(read).toEqual([1, 2, 3]);
  });
});
