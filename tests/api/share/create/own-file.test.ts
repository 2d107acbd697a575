import { describe, expect, it } from 'vitest';
import {
  made,
  madeFolder,
  newManager,
  newOwner,
  png,
  remove,
  share as shareFile,
} from '../../../support/files/files.ts';
import { newFile, storedItems } from '../../../support/files/stored.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { call } from '../../../support/service/call.ts';
import { objectsOf } from '../../../support/shares/files.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { putItems } from '../../../support/table/batch-writes.ts';
import { useTable } from '../../../support/table/table.ts';
import type { Person } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useTable();
useBucket();

const { ann, bob, manager } = useNewPeople({
  ann: newOwner,
  bob: () => newOwner('Bob Owner'),
  manager: newManager,
});

const share = ({ token }: Pick<Person, 'token'>, file: number, fields: object = {}) =>
  call('POST /api/share', { token, body: { file, ...fields } });

const look = async (id: string) => (await sharesOf(ann).look(id)).body;

const rawOf = async (id: string) => (await call('GET /s/{id}/raw', { params: { id } })).body;

describe('POST /api/share with a stored file', () => {
  it.each([
    ['note.md', '# Hi\n', { language: 'markdown', content: '# Hi\n', title: 'note' }],
    ['page.html', '<p>Hi</p>', { language: 'html', content: '<p>Hi</p>', title: 'page' }],
    ['.env', 'A=1\n', { content: '```ini title=".env"\nA=1\n```\n', title: '.env' }],
    ['sales.csv', 'a;b\n', { content: '```csv title="sales.csv"\na;b\n```\n' }],
  ])('shares %s as its text', async (name, text, expected) => {
    const id = await made(ann, { name }, Buffer.from(text));
    const { status, body } = await share(ann, id);
    expect([status, body]).toEqual([
      201,
      {
        ...{ id: body.id, language: body.language, message: 'Shared', audience: 'link' },
        url: `https://handbill.test/s/${body.id}`,
      },
    ]);
    expect(await look(body.id)).toMatchObject(expected);
  });

  it.each([
    ['mill.png', png, 'mill.png', 'image/png'],
    ['site.zip', Buffer.from('504b0304ff', 'hex'), 'site.zip', 'application/octet-stream'],
    ['.data', Buffer.from('00ff00ff', 'hex'), 'data', 'application/octet-stream'],
  ])('shares %s as it is', async (name, bytes, path, type) => {
    const id = await made(ann, { name }, bytes);
    const { body } = await share(ann, id, { title: 'A file', viewLimit: 3 });
    expect(await look(body.id)).toMatchObject({
      ...{ title: 'A file', viewLimit: 3, main: path },
      files: [{ path, type, size: bytes.length }],
    });
    expect(await objectsOf(body.id)).toHaveLength(1);
  });

  it('copies the file: the share stays as it was', async () => {
    const id = await made(ann, { name: 'a.txt' }, Buffer.from('Words'));
    const { body } = await share(ann, id);
    await remove(ann, id);
    expect(await rawOf(body.id)).toBe('Words');
    expect(await share(ann, id)).toMatchObject({ status: 404 });
  });

  it('says in which encoding it was read', async () => {
    const id = await made(ann, { name: 'a.txt' }, Buffer.from('Gr\u00f6\u00dfe', 'latin1'));
    expect((await share(ann, id)).body).toMatchObject({ readAs: 'Windows-1252' });
  });

  it('refuses files of others, whoever may read them, a folder, and what is empty', async () => {
    const id = await made(ann, { name: 'a.txt' }, Buffer.from('Words'));
    await shareFile(ann, id, [bob.id]);
    const missing = {
      status: 404,
      body: { error: { code: 'NOT_FOUND', message: 'File not found.' } },
    };
    expect(await share(bob, id)).toMatchObject(missing);
    expect(await share(manager, id)).toMatchObject(missing);
    expect(await share(ann, 1)).toMatchObject(missing);
    const folder = await madeFolder(ann, 'Folder');
    const empty = await made(ann, { name: 'empty.txt' }, Buffer.alloc(0));
    for (const [file, message] of [
      [folder, 'must be a file, not a folder'],
      [empty, 'must not be empty'],
    ] as const) {
      const { status, body } = await share(ann, file);
      expect([status, body.error.details]).toEqual([400, [{ field: 'file', message }]]);
    }
  });

  it('refuses one that is too large, and says what to do', async () => {
    const file = newFile({ id: 9_000, ownerId: ann.id, name: 'film.mov', size: 5_000_000 });
    await putItems(storedItems({ ...file, object: 'files/none' }));
    const { status, body } = await share(ann, 9_000);
    expect([status, body.error.message, body.error.details]).toEqual([
      413,
      '“film.mov” has 4.8 MB. A file in a share can have 4 MB. Share it with people on the files page instead.',
      [{ field: 'file', message: 'must have at most 4 MB' }],
    ]);
  });

  it('takes the permission to view files', async () => {
    const id = await made(ann, { name: 'a.txt' }, Buffer.from('Words'));
    const { body } = await call('POST /api/auth/tokens', {
      token: ann.token,
      body: { name: 'Shares', permissions: ['shares:create'] },
    });
    expect(await share({ token: body.data.token }, id)).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN', message: expect.stringContaining('files:view') } },
    });
  });

  it('refuses it beside other content', async () => {
    const { status, body } = await share(ann, 1, { content: 'Hi' });
    expect([status, body.error.details]).toEqual([
      400,
      [{ field: 'file', message: 'cannot be combined with `content`, `upload` or files' }],
    ]);
  });
});
