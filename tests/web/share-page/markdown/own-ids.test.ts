import { glob, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { mainId } from '../../../../functions/web/share-page/article.ts';

/** What makes no page that shows Markdown. */
const withoutText = ['simple-pages.ts', 'codes/', 'gates/', 'revisions/', 'browser/revisions'];

const written = /\bid="([^"[]+)"|\.id = '([^'([]+)'|\bcontentId: '([^']+)'/g;

/** Returns the ids that the pages of shares write, and their scripts. */
const readIds = async (): Promise<string[]> => {
  const ids: string[] = [];
  const files = [
    'functions/web/share-page/**/*.ts',
    'functions/web/layout/{document,rendered-html}.ts',
  ];
  for await (const file of glob(files)) {
    if (/\/built\//.test(file) || withoutText.some((part) => file.includes(`share-page/${part}`)))
      continue;
    for (const [, ...groups] of (await readFile(file, 'utf8')).matchAll(written)) {
      const id = groups.find((group) => group !== undefined) ?? '';
      ids.push(id === '$' + '{mainId}' ? mainId : id);
    }
  }
  return ids;
};

describe('a page that shows Markdown', () => {
  it('has no id that the slug of a heading can be: slugs have no capital letter', async () => {
    const ids = await readIds();
    expect(ids).toContain('Actions');
    expect(ids.length).toBeGreaterThan(5);
    expect(ids.filter((id) => !/[A-Z]/.test(id))).toEqual([]);
  });
});
