import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  circles,
  crowdedRooms,
  edges,
  flatFiles,
  forbiddenImports,
  lists,
  maxFilesInRoom,
  readFiles,
  readImports,
  sharedLevels,
  uncollected,
  unusedEdges,
} from './layout-rules.ts';

const imports = readImports();
const files = readFiles();

describe('the layout', () => {
  it('reads static, dynamic and type imports of all code', () => {
    expect(imports.size).toBeGreaterThan(400);
    expect(imports.get('functions/routes.ts')).toContain('functions/api/documents/routes.ts');
    expect(imports.get('functions/jobs/index.ts')).toContain('functions/jobs/consume.ts');
    expect(imports.get('shared/http/middleware/authenticate.ts')).toContain('shared/auth/actor.ts');
  });

  it('has no forbidden import', () => {
    expect(forbiddenImports(imports)).toEqual([]);
  });

  it('has no groups that import each other', () => {
    expect(circles(imports)).toEqual([]);
  });

  it('is described in the README of shared', () => {
    const readme = readFileSync(join(import.meta.dirname, '../../shared/README.md'), 'utf8');
    const described = [...readme.matchAll(/^\| (\d) \| (.*) \|$/gm)].map(
      ([, level, rooms = '']) => [
        Number(level),
        [...rooms.matchAll(/`([\w-]+)`/g)].map(([, room = '']) => room),
      ],
    );
    expect(described).toEqual(sharedLevels.map((rooms, at) => [at + 1, rooms]).reverse());
  });

  it('reads the texts of shares by their admission only', () => {
    const reading = 'functions/api/share/reading';
    const readers = [...imports].filter(([, all]) => all.includes(`${reading}/texts.ts`));
    expect(readers.map(([file]) => file)).toEqual([`${reading}/admission.ts`]);
  });

  it('has no unused edge', () => {
    expect(unusedEdges(imports)).toEqual([]);
  });

  it('collects each declaration in a list', () => {
    expect(uncollected(imports)).toEqual([]);
    expect(Object.keys(lists).filter((list) => !imports.has(list))).toEqual([]);
  });

  it(`has at most ${maxFilesInRoom} files in a room`, () => {
    expect(crowdedRooms(files)).toEqual([]);
  });

  it('has each file in a room', () => {
    expect(flatFiles(files)).toEqual([]);
  });
});

describe('the rules of the layout', () => {
  it('find groups that import each other, also through others', () => {
    const pairs = [
      ['functions/web/layout/a.ts', 'functions/web/browser/a.ts'],
      ['functions/web/browser/b.ts', 'functions/web/docs/a.ts'],
      ['functions/web/docs/b.ts', 'functions/web/layout/b.ts'],
      ['functions/web/site/a.ts', 'functions/web/layout/b.ts'],
      ['functions/jobs/sweeps/a.ts', 'functions/jobs/once.ts'],
      ['functions/jobs/consume.ts', 'functions/jobs/sweeps/sweep.ts'],
    ] as const;
    expect(circles(new Map(pairs.map(([from, to]) => [from, [to]])))).toEqual([
      'jobs ↔ jobs/sweeps',
      'web/browser ↔ web/docs ↔ web/layout',
    ]);
  });

  it.each([
    ['shared/db/ids.ts', 'functions/api/audit/audit.ts', 'imports go down only'],
    ['functions/api/audit/audit.ts', 'infra/app.ts', 'imports go down only'],
    ['infra/local/aws/s3/store.ts', 'shared/db/ids.ts', 'the engines stand alone'],
    ['shared/db/ids.ts', 'shared/lists/search.ts', 'the room is not of a lower level'],
    ['shared/auth/user.ts', 'shared/lists/search.ts', 'the room is not of a lower level'],
    ['shared/other/thing.ts', 'shared/db/ids.ts', 'the room has no level'],
    [
      'functions/routes.ts',
      'functions/api/share/changing/update.ts',
      'a list imports declarations only',
    ],
    ['functions/jobs/registry.ts', 'shared/db/ids.ts', 'a list imports declarations only'],
    [
      'functions/api/share/owned.ts',
      'functions/api/owned-records.ts',
      'the list is not for this file',
    ],
    ['functions/web/docs/routes.ts', 'functions/routes.ts', 'the list is not for this file'],
    [
      'functions/api/sales/sales.ts',
      'functions/api/documents/documents.ts',
      'api/sales may not import this of api/documents',
    ],
    [
      'functions/api/users/reconcile.ts',
      'functions/api/share/owned.ts',
      'api/users may not import this of api/share',
    ],
    [
      'functions/api/files/routes.ts',
      'functions/web/site/files/page.ts',
      'api/files may not import this of web/site',
    ],
    [
      'functions/web/site/account/page.ts',
      'functions/api/files/list.ts',
      'web/site may not import this of api/files',
    ],
    [
      'functions/jobs/consume.ts',
      'functions/api/share/work.ts',
      'jobs may not import this of api/share',
    ],
    [
      'functions/api/share/record/share.ts',
      'functions/api/share/reading/load.ts',
      'the room is not of a lower level',
    ],
    [
      'functions/api/share/record/share.ts',
      'functions/api/share/work.ts',
      'a room imports nothing beside the rooms',
    ],
    [
      'functions/api/share/other/thing.ts',
      'functions/api/share/record/share.ts',
      'the room has no level',
    ],
    [
      'functions/web/site/files/page.ts',
      'functions/web/site/shares/page.ts',
      'a page imports no other page',
    ],
  ])('forbid %s → %s', (from, to, why) => {
    expect(forbiddenImports(new Map([[from, [to]]]))).toEqual([`${from} → ${to}: ${why}`]);
  });

  it('find an unused edge', () => {
    expect(unusedEdges(new Map())).toHaveLength(
      edges.reduce((count, edge) => count + (edge.files?.length ?? 1), 0),
    );
    const [from, to] = ['functions/api/notifications/list.ts', 'functions/api/messages/mailbox.ts'];
    expect(unusedEdges(new Map([[from, [to]]]))).not.toContain(
      'api/notifications → api/messages/mailbox.ts',
    );
  });

  it('find an uncollected declaration', () => {
    const file = 'functions/api/sales/owned.ts';
    expect(uncollected(new Map([[file, []]]))).toEqual([file]);
    expect(
      uncollected(
        new Map([
          [file, []],
          ['functions/api/owned-records.ts', [file]],
        ]),
      ),
    ).toEqual([]);
  });

  it('find a room with too many files', () => {
    const inside = Array.from({ length: maxFilesInRoom + 1 }, (_, at) => `shared/db/${at}.ts`);
    expect(crowdedRooms(inside)).toEqual([`shared/db: ${maxFilesInRoom + 1}`]);
    expect(crowdedRooms(inside.slice(1))).toEqual([]);
  });

  it.each([
    'shared/ids.ts',
    'tests/ids.test.ts',
    'infra/stack.ts',
    'functions/ids.ts',
    'functions/api/ids.ts',
    'functions/web/page.ts',
  ])('find %s in no room', (file) => {
    expect(flatFiles([file, 'functions/routes.ts', 'functions/jobs/index.ts'])).toEqual([file]);
  });
});
