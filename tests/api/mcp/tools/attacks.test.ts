import { describe, expect, it } from 'vitest';
import { assistantOf, newAssistant } from '../../../support/mcp/call-tool.ts';
import { useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson, newUserOf } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();

const { ann, bob } = useNewPeople({ ann: newPerson, bob: newPerson });

const page = { content: 'Hi', language: 'markdown' };

describe('a tool', () => {
  it('finds nothing of another user', async () => {
    const id = await sharesOf(bob).newShare({ audience: 'private' });
    const { fail } = await newAssistant(ann, ['shares:*']);
    const calls: readonly (readonly [string, object])[] = [
      ['share_read', { id }],
      ['share_update', { id, version: 1, title: 'Mine' }],
      ['share_end', { id }],
      ['share_link_create', { id, label: 'Me' }],
      ['share_receipts', { id }],
      ['share_files', { id }],
      ['share_file_put', { id, path: 'a.css', content: 'p {}' }],
    ];
    for (const [name, input] of calls) {
      expect(await fail(name, input), name).toMatch(
        /^NOT_FOUND: .*\nNext: Look for it with share_list/,
      );
    }
    expect((await sharesOf(bob).look(id)).body).toMatchObject({ version: 1, status: 'active' });
  });

  it('finds no document of another user, nor another address by an id', async () => {
    const [root, reader] = [await newUserOf('super_admin'), await newUserOf('user')];
    const { id } = await assistantOf(root.token).get('document_create', { title: 'Secret' });
    const { fail } = assistantOf(reader.token);
    expect(await fail('document_read', { id })).toMatch(/^NOT_FOUND: .*\nNext: .*document_search/);
    for (const other of ['names', 'trash', '../documents', `${id}/readers`, '', '1 ', '%2e%2e']) {
      expect(await fail('document_read', { id: other }), other).toMatch(/^NOT_FOUND/);
    }
  });

  it.each(['summary', 'received', 'x/links', '..', 'x/../y', '', 'a?mine=false'])(
    'takes %j for the id of no share',
    async (id) => {
      const { fail } = await newAssistant(ann, ['shares:*']);
      expect(await fail('share_receipts', { id })).toMatch(/^NOT_FOUND/);
      expect(await fail('share_file_put', { id, path: 'a.css', content: 'p {}' })).toMatch(
        /^NOT_FOUND/,
      );
    },
  );

  it('can’t leave out that a share is read as its owner', async () => {
    const id = await sharesOf(bob).newShare({ audience: 'link' });
    const { fail } = await newAssistant(ann);
    expect(await fail('share_read', { id })).toMatch(/^NOT_FOUND/);
    expect(await fail('share_read', { id, mine: 'false' })).toContain(
      '- mine is no argument of this tool',
    );
    expect((await sharesOf(bob).look(id)).body.views).toBe(0);
  });

  it.each([
    ['../../etc/passwd', 'contains “.” or “..”'],
    ['/etc/passwd', 'isn’t relative'],
    ['a/../../b.css', 'contains “.” or “..”'],
    ['C:/Windows/a.css', 'isn’t relative'],
    ['a\\..\\b.css', 'contains a backslash'],
    ['', 'has no path'],
  ])('puts no file at %j', async (path, rule) => {
    const { get, fail } = await newAssistant(ann);
    const { id } = await get('share_create', page);
    expect(await fail('share_file_put', { id, path, content: 'a' })).toContain(rule);
    expect((await get('share_files', { id })).version).toBe(1);
  });
});

describe('arguments', () => {
  it.each([
    [{ titel: 'A' }, '- titel is no argument of this tool; it has title'],
    [{ Title: 'A' }, '- Title is no argument of this tool; it has title'],
    [{ view_limit: 3 }, '- view_limit is no argument of this tool; it has viewLimit'],
    [{ reader: [] }, '- reader is no argument of this tool; it has readers'],
    [{ embedOrigins: ['*'] }, '- embedOrigins is no argument of this tool; it has content,'],
    [{ upload: 'x' }, 'Invalid upload: '],
    [{ constructor: 1 }, '- constructor is no argument of this tool; it has'],
    [JSON.parse('{"__proto__": {"audience": "link"}}'), '- __proto__ is no argument of this tool'],
    [{ 'toString\u0000': 1 }, 'is no argument of this tool'],
  ])('are refused by their name: %j', async (input, rule) => {
    const { fail } = await newAssistant(ann);
    const text = await fail('share_create', { ...page, ...input });
    expect(text).toMatch(/^VALIDATION_ERROR: /);
    expect(text).toContain(rule);
    expect((await sharesOf(ann).list()).body.total).toBe(0);
  });

  it('are checked by the route, which names each of them', async () => {
    const { fail } = await newAssistant(ann);
    const text = await fail('share_create', {
      ...{ content: 7, language: 'latex', title: 'a'.repeat(201), viewLimit: 0 },
      ...{ audience: 'everyone', readers: ['nobody'], slug: 'A B' },
    });
    expect(text.split('\n').slice(1, -1)).toEqual([
      '- content must be a string',
      '- language must be html or markdown',
      '- audience must be one of private, people, members, link',
      '- readers.0 must be a valid email address',
      '- title must be at most 200 characters',
      '- slug must have 3 to 64 characters of a-z, 0-9 and -',
      '- viewLimit must be an integer from 1 to 1000000',
    ]);
    expect(text).toMatch(/Next: Correct these arguments and call it again\.$/);
  });

  it('that are missing are named', async () => {
    const { fail } = await newAssistant(ann);
    expect(await fail('share_update', { id: 'x', title: 'A' })).toContain('- version is required');
    expect(await fail('share_create', { content: 'Hi' })).toContain('- language is required');
    expect(await fail('share_read')).toContain('- id is required');
    expect(await fail('share_read', { id: null })).toContain('- id is required');
    expect(await fail('share_read', { id: ['a'] })).toContain('- id must be a text');
    expect(await fail('share_update', { id: 'x', version: '1' })).toContain(
      '- version must be an integer',
    );
  });

  it('that are huge are refused by the limits of the route', async () => {
    const { fail } = await newAssistant(ann);
    const text = await fail('share_create', {
      ...{ content: 'a'.repeat(10 * 1024 * 1024), language: 'markdown' },
    });
    expect(text).toMatch(
      /^PAYLOAD_TOO_LARGE: .*\n- content must be at most 512 KB .*\nNext: Move /,
    );
    const many = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, at) => [`${'x'.repeat(1_000)}${at}`, at]),
    );
    expect((await fail('share_create', { ...page, ...many })).length).toBeLessThan(10_000);
  });

  it('can’t name another person as the caller, nor headers', async () => {
    const { fail } = await newAssistant(ann);
    for (const name of ['authorization', 'cookie', 'ownerId', 'if-match', 'password']) {
      expect(await fail('share_create', { ...page, [name]: 'x' })).toContain(
        `- ${name} is no argument of this tool`,
      );
    }
  });
});

describe('calls at the same time', () => {
  it('are each of their own user', async () => {
    const [one, other] = [await newAssistant(ann), await newAssistant(bob)];
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        (at % 2 === 0 ? one : other).get('share_create', { ...page, title: `${at}` }),
      ),
    );
    expect(made).toHaveLength(10);
    expect((await sharesOf(ann).list()).body.total).toBe(5);
    expect((await sharesOf(bob).list()).body.total).toBe(5);
  });
});
