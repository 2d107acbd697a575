// What the documents say of the code: routes, keys, links. processes/readme.slow.test.ts runs the commands that they show.

import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { formatDataModel } from '../../../infra/build/data-model.ts';
import { costSections } from '../../../infra/build/readme-costs.ts';
import { formatRoutesTable } from '../../../infra/build/readme-routes.ts';
import { withSection } from '../../../infra/build/readme-section.ts';
import { listAnchors } from '../../support/run/markdown-headings.ts';

const read = (file: string): Promise<string> =>
  readFile(join(import.meta.dirname, '../../..', file), 'utf8');

it('lists all routes', async () => {
  const functions = await read('functions/README.md');
  expect(withSection(functions, 'routes', formatRoutesTable())).toBe(functions);
});

it('describes all keys in the data model', async () => {
  const shared = await read('shared/README.md');
  expect(withSection(shared, 'data model', await formatDataModel())).toBe(shared);
});

it.each(costSections)('tells the measured costs in %s: %s', async (readme, name, format) => {
  const text = await read(readme);
  expect(withSection(text, name, format())).toBe(text);
});

const documents = [
  'README.md',
  'functions/README.md',
  'functions/decisions.md',
  'shared/README.md',
  'infra/README.md',
  'infra/cli/README.md',
  'CHANGELOG.md',
  '.github/CONTRIBUTING.md',
  '.github/SECURITY.md',
  'tests/README.md',
  'tests/lab/bench/README.md',
];

it.each(documents)('links from %s to files and headings that exist', async (document) => {
  for (const [, file, anchor] of (await read(document)).matchAll(
    /\]\((?!http)([^)#]*)(?:#(.+?))?\)/g,
  )) {
    const target = await read(file ? join(dirname(document), file) : document);
    if (anchor) expect(listAnchors(target)).toContain(anchor);
  }
});
