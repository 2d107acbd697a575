// Whether what the READMEs tell a newcomer to write and use is there: each name in code marks of the recipes in
// `functions/README.md` and of the order of the middleware in `shared/README.md`. What the recipes lead to is proven by the
// compiler and by the tests that they name.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Where a path of a recipe may start. */
const starts = [
  '',
  'functions/',
  'functions/api/*/',
  'functions/api/*/record/',
  'functions/web/site/*/',
  'shared/',
];

const commands = new Set(Object.keys(JSON.parse(read('package.json')).scripts));

const source = globSync('{functions,shared,infra,tests}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: ['**/node_modules', '**/built', '**/cdk.out'],
})
  .filter((file) => !file.endsWith('recipes.test.ts'))
  .map(read)
  .join('\n');

const isPath = (name: string) => /^[\w./<>-]+(\.tsx?|\.css|\/)$/.test(name);

const findPath = (name: string): boolean =>
  starts.some(
    (start) =>
      globSync(start + name.replaceAll(/<\w+>/g, '*'), { cwd: root, exclude: ['**/node_modules'] })
        .length > 0,
  );

/** A name in code marks as the source has it: `…`, `*` and `<noun>` stand for anything within a line, arguments for any. */
const toPattern = (name: string): RegExp =>
  new RegExp(
    name
      .replace(/(\w\().*/, '$1')
      .split(/ *… *|\*|<\w+>/)
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*'),
  );

/** Returns the names that are neither a file, nor a command, nor found in the source. */
const findMissing = (text: string): string[] =>
  [...text.matchAll(/`([^`\n]+)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => {
      if (isPath(name)) return !findPath(name);
      if (name.startsWith('npm run ')) return !commands.has(name.slice('npm run '.length));
      return !toPattern(name).test(source);
    });

const section = (file: string, heading: string): string =>
  read(file).split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

describe('the READMEs', () => {
  it.each([
    ['functions/README.md', 'Add something'],
    ['functions/README.md', 'The folder of a group'],
    ['functions/README.md', 'Who may call'],
    ['shared/README.md', 'A request, top to bottom'],
    ['shared/README.md', 'Writing'],
  ])('name in %s, “%s”, what is there', (file, heading) => {
    const text = section(file, heading);
    expect(text).toMatch(/`\w/);
    expect(findMissing(text)).toEqual([]);
  });

  it('tell the order of the middleware', () => {
    const order = [...read('shared/http/create-handler.ts').matchAll(/^ {4}\.use\((\w+)\(/gm)];
    const told = [...section('shared/README.md', 'A request, top to bottom').matchAll(/`(\w+)`/g)];
    const names = order.map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(5);
    expect(told.map(([, name = '']) => name).filter((name) => names.includes(name))).toEqual(names);
  });
});

describe('the check of the READMEs', () => {
  it('finds files, commands and names that are not there', () => {
    const text =
      "`keys.ts` `web/site/routes.ts` `npm run build` `defineJob` `gone.ts` `web/gone/` `npm run gone` `goneFor` `jobs: ['gone']`";
    expect(findMissing(text)).toEqual([
      'gone.ts',
      'web/gone/',
      'npm run gone',
      'goneFor',
      "jobs: ['gone']",
    ]);
  });
});
