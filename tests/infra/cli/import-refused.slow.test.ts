import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createQuotedBomb, createSharedBomb, zeros } from '../../support/archives/bombs.ts';
import { archivedDocument, createOwnData, manifest } from '../../support/archives/own-data.ts';
import { createZip, type ZipEntry, zipFiles } from '../../support/archives/zip.ts';
import { createShell } from '../../support/cli/handbill.ts';
import { temporaryFolder } from '../../support/run/process.ts';
import { useFakeService } from './fake-service.ts';

const service = useFakeService();

const head: ZipEntry[] = Object.entries(manifest).map(([name, content]) => ({ name, content }));
const withEntry = (entry: ZipEntry): Buffer => createZip([...head, entry]);
const whole = createOwnData(archivedDocument(1, 'A', 'Hi'));

const archives: readonly (readonly [what: string, archive: Buffer, message: string | RegExp])[] = [
  ['no ZIP', Buffer.from('Hello'), 'This isn’t a ZIP archive'],
  ['a foreign ZIP', zipFiles({ 'index.html': '<p>Hi</p>' }), 'is no archive of handbill export'],
  [
    'another program’s handbill.json',
    zipFiles({ 'handbill.json': '{"name":"x"}' }),
    'is no archive of handbill export',
  ],
  [
    'a newer version',
    zipFiles({ 'handbill.json': '{"format":"handbill-export","version":2}' }),
    'is of another version of Handbill',
  ],
  ['broken JSON', zipFiles({ 'handbill.json': '{' }), 'is damaged: it isn’t JSON'],
  ['one that is cut off', whole.subarray(0, whole.length - 30), /damaged|isn’t a ZIP archive/],
  [
    'one with other bytes',
    Buffer.concat([whole.subarray(0, 40), Buffer.alloc(20), whole.subarray(60)]),
    /damaged/,
  ],
  [
    'a path out of it',
    withEntry({ name: '../../.ssh/authorized_keys', content: 'x' }),
    'leads out of the archive',
  ],
  [
    'an absolute path',
    withEntry({ name: '/etc/passwd', content: 'x' }),
    'leads out of the archive',
  ],
  [
    'a path with backslashes',
    withEntry({ name: 'documents\\..\\x', content: 'x' }),
    'leads out of the archive',
  ],
  ['a path on a drive', withEntry({ name: 'C:/x', content: 'x' }), 'leads out of the archive'],
  ['a link', withEntry({ name: 'files/0', content: '/etc/passwd', mode: 0o120777 }), 'is a link'],
  [
    'an encrypted entry',
    withEntry({ name: 'files/0', content: 'x', flags: 0x801 }),
    'is encrypted',
  ],
  ['a name that is there twice', createZip([...head, ...head]), 'is there twice'],
  ['files that quote each other', createQuotedBomb(20), /share the same bytes|damaged/],
  ['files that share bytes', createSharedBomb(20), /share the same bytes|damaged/],
];

describe('handbill import', () => {
  it.each(archives)('refuses %s before it asks the service', async (_, archive, message) => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'a.zip'), archive);
    service.respond(() => expect.unreachable());
    const env = { HANDBILL_URL: service.url, HANDBILL_TOKEN: 'hb_token' };
    const { code, out, err } = await createShell(folder).run(['import', 'a.zip'], { env });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(typeof message === 'string' ? new RegExp(message) : message);
    expect(service.received()).toEqual([]);
  });

  it.each([
    ['more than its header says', { ...zeros(100), name: 'documents/1-A.md' }, /damaged|longer/],
    ['more than any has', { ...zeros(2 ** 32 - 2), name: 'documents/1-A.md' }, /larger than 3 MB/],
  ])('takes no document of %s', async (_, entry, message) => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'a.zip'), withEntry(entry));
    service.respond(({ line, answer }) =>
      answer(
        200,
        line === 'GET /api/auth/me'
          ? { success: true, data: { id: 1 } }
          : { success: true, data: { items: [], nextCursor: null } },
      ),
    );
    const env = { HANDBILL_URL: service.url, HANDBILL_TOKEN: 'hb_token' };
    const { code, err } = await createShell(folder).run(['import', 'a.zip'], { env });
    expect(code).toBe(1);
    expect(err).toMatch(message);
    expect(service.received().some(({ line }) => line.startsWith('POST'))).toBe(false);
  });

  it('names a file that isn’t there', async () => {
    const folder = await temporaryFolder();
    const env = { HANDBILL_URL: service.url, HANDBILL_TOKEN: 'hb_token' };
    expect(await createShell(folder).run(['import', 'a.zip'], { env })).toEqual({
      code: 1,
      out: '',
      err: 'There is no file a.zip.\n',
    });
  });
});
