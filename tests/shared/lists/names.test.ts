import { describe, expect, it } from 'vitest';
import { made as madeFile, madeFolder } from '../../support/files/files.ts';
import { listConversations, newWriter, sent } from '../../support/messages/messages.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';
import { newInvited, newUserOf, type Person } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useBucket();
useJobs();

interface Named {
  readonly title?: string;
  readonly name?: string;
  readonly subject?: string;
}

type Query = Readonly<Record<string, string>>;

const namesOf = (items: readonly Named[]) =>
  items.map(({ title, name, subject }) => title ?? name ?? subject);

const accented = ['Zebra', 'Émile 10', 'éclair', 'Émile 9', 'fable', 'Ørsted'];
const inOrder = ['éclair', 'Émile 9', 'Émile 10', 'fable', 'Ørsted', 'Zebra'];

/** Searches, and which of these titles they find. */
const titles = ['東京都庁の会議', '서울스마트폰', '京都'];
const searches = [
  ['京都', ['東京都庁の会議', '京都']],
  ['都庁', ['東京都庁の会議']],
  ['都庁の会', ['東京都庁の会議']],
  ['議', ['東京都庁の会議']],
  ['스마트', ['서울스마트폰']],
  ['폰', ['서울스마트폰']],
  ['京会', []],
] as const;

const expectFound = async (find: (search: string) => Promise<readonly (string | undefined)[]>) => {
  for (const [search, found] of searches) {
    expect([search, (await find(search)).toSorted()]).toEqual([search, found.toSorted()]);
  }
};

describe('accented names, and titles in Chinese, Japanese and Korean', () => {
  const { admin, owner, writer, reader } = usePeople({
    admin: () => newUserOf('admin', { name: 'Admin' }),
    owner: 'super_admin',
    writer: () => newWriter('Writer'),
    reader: () => newWriter('Reader'),
  });
  const lister =
    (endpoint: 'GET /api/users' | 'GET /api/documents' | 'GET /api/files', person: () => Person) =>
    async (query: Query) => {
      const all = { pageSize: '100', ...query };
      const { status, body } = await call(endpoint, { token: person().token, query: all });
      expect(status).toBe(200);
      return namesOf(body.data.items ?? body.data);
    };

  it('are sorted and found among users', async () => {
    for (const name of [...accented, ...titles]) await newInvited({ name, role: 'guest' });
    const list = lister('GET /api/users', () => admin);
    expect((await list({ role: 'guest', sort: 'name' })).slice(0, 6)).toEqual(inOrder);
    await expectFound((search) => list({ role: 'guest', search }));
  });

  it('are sorted and found among documents', async () => {
    for (const title of [...accented, ...titles]) {
      const body = { title, type: 'text', content: 'x' };
      await call('POST /api/documents', { token: owner.token, body });
    }
    const list = lister('GET /api/documents', () => owner);
    expect((await list({ sort: 'title' })).slice(0, 6)).toEqual(inOrder);
    await expectFound((search) => list({ search }));
  });

  it('are sorted and found among files, in folders and beyond', async () => {
    await madeFolder(owner, 'Été');
    for (const name of [...accented, ...titles]) await madeFile(owner, { name, folder: 'Été' });
    const list = lister('GET /api/files', () => owner);
    expect((await list({ folder: 'Été', sort: 'name' })).slice(0, 6)).toEqual(inOrder);
    expect(await list({ sort: 'name' })).toEqual(
      expect.arrayContaining(['éclair', 'Émile 9', 'Été', 'fable']),
    );
    await expectFound((search) => list({ search }));
  });

  it('are found among conversations, however long the subject is', async () => {
    for (const subject of titles) await sent(writer, [reader], { subject });
    const long = `${'会社の予定と資料について'.repeat(16)}終`;
    await sent(writer, [reader], { subject: long });
    const find = async (search: string) => {
      const { body } = await listConversations(reader, { search });
      return namesOf(body.data.items);
    };
    await expectFound(async (search) => (await find(search)).filter((one) => one !== long));
    expect(await find('writer 終')).toEqual([long]);
  });

  it('are found by the first 41 characters of a title, 33 of a file’s name', async () => {
    const characters = Array.from({ length: 60 }, (_, at) => String.fromCodePoint(0x5000 + at));
    const name = characters.join('');
    const body = { title: name, type: 'text', content: 'x' };
    await call('POST /api/documents', { token: owner.token, body });
    await madeFile(owner, { name });
    const pair = (at: number) => characters.slice(at, at + 2).join('');
    for (const [endpoint, last] of [
      ['GET /api/documents', 39],
      ['GET /api/files', 31],
    ] as const) {
      const list = lister(endpoint, () => owner);
      expect(await list({ search: pair(last) })).toEqual([name]);
      expect(await list({ search: pair(last + 1) })).toEqual([]);
      expect(await list({ search: name })).toEqual([name]);
    }
  });
});
