import { crc32, deflateRawSync } from 'node:zlib';
import type { ZipProblemCode } from '../../../shared/share-files/zip-problem.ts';
import { createMany, createNoise, createQuotedBomb, createSharedBomb, zeros } from './bombs.ts';
import { createZip, extraField, pack, writeEnd, type ZipEntry, zipFiles } from './zip.ts';

/** Why an archive is refused, by what it is, with how it is made. */
export type HostileArchive = readonly [what: string, code: ZipProblemCode, create: () => Buffer];

const megabyte = 1024 * 1024;

const page: ZipEntry = { name: 'index.html', content: '<h1>Hello</h1>' };
const style: ZipEntry = { name: 'style.css', content: 'body { color: red }' };

const withPage = (entry: ZipEntry): Buffer => createZip([page, entry]);

const named =
  (name: string | Uint8Array): (() => Buffer) =>
  () =>
    withPage({ ...style, name });

const names: readonly HostileArchive[] = [
  ['a path out of the archive', 'path', named('../style.css')],
  ['a path out of a folder', 'path', named('a/../../style.css')],
  ['a path out of the archive by backslashes', 'path', named('..\\..\\style.css')],
  ['an absolute path', 'path', named('/etc/passwd')],
  ['a path on a drive', 'path', named('C:/style.css')],
  ['a path with backslashes', 'path', named('css\\style.css')],
  ['a path with a dot', 'path', named('css/./style.css')],
  ['a path with an empty folder', 'path', named('css//style.css')],
  ['no name', 'path', named('')],
  ['a name with NUL', 'path', named('style.css\0.png')],
  ['a name with a line break', 'path', named('style\n.css')],
  ['a name that is read backwards', 'path', named('exe.\u202ecss')],
  ['a path of 201 characters', 'path', named('x'.repeat(201))],
  ['names that differ by case', 'path', named('INDEX.html')],
  [
    'names that differ by composition',
    'path',
    () => createZip([page, { ...style, name: '\u00e9' }, { ...style, name: 'e\u0301' }]),
  ],
  [
    'a file that is a folder, too',
    'path',
    () => createZip([page, { ...style, name: 'a' }, { ...style, name: 'a/b' }]),
  ],
  ['a name that is there twice', 'name', named('index.html')],
  [
    'a name of invalid UTF-8',
    'name',
    () => withPage({ ...style, name: Buffer.from([0x61, 0xff]), flags: 0x800 }),
  ],
  [
    'a Unicode name that leads out of the archive',
    'path',
    () =>
      withPage({
        ...style,
        name: Buffer.from('style.css'),
        extra: extraField(
          0x7075,
          Buffer.concat([pack([1, 1], [4, crc32('style.css')]), Buffer.from('../style.css')]),
        ),
      }),
  ],
];

const kinds: readonly HostileArchive[] = [
  ['a link', 'link', () => withPage({ name: 'a', content: '/etc/passwd', mode: 0o120777 })],
  ['a device', 'link', () => withPage({ name: 'a', mode: 0o060644 })],
  ['a pipe', 'link', () => withPage({ name: 'a', mode: 0o010644 })],
  ['a folder with content', 'folder', () => withPage({ ...style, name: 'a/' })],
  ['a folder by its mode with content', 'folder', () => withPage({ ...style, mode: 0o040755 })],
  ['an encrypted file', 'encrypted', () => withPage({ ...style, flags: 0x801 })],
  ['a strongly encrypted file', 'encrypted', () => withPage({ ...style, flags: 0x841 })],
  [
    'a file encrypted by AES',
    'encrypted',
    () =>
      withPage({
        ...style,
        flags: 0x801,
        method: 99,
        extra: extraField(0x9901, pack([2, 2], [2, 0x4541], [1, 3], [2, 8])),
      }),
  ],
  ['an archive in it', 'nested', () => withPage({ name: 'a.zip', content: zipFiles({ a: 'a' }) })],
  [
    'an archive by another name',
    'nested',
    () => withPage({ name: 'a.png', content: zipFiles({ a: 'a' }) }),
  ],
  ['an unknown compression', 'unsupported', () => withPage({ ...style, method: 12 })],
  ['a part of a split archive', 'unsupported', () => createZip([page], { disk: 1 })],
  ['nothing', 'empty', () => createZip([])],
  ['only folders', 'empty', () => createZip([{ name: 'a/', method: 0, mode: 0o040755 }])],
  ['only files of systems', 'empty', () => zipFiles({ '__MACOSX/._a': 'a', 'a/.DS_Store': 'b' })],
];

const broken: readonly HostileArchive[] = [
  ['no bytes', 'not-zip', () => Buffer.alloc(0)],
  ['zeros', 'not-zip', () => Buffer.alloc(1000)],
  ['text', 'not-zip', () => Buffer.from('PK\x03\x04, it says.'.repeat(10))],
  ['the first half of an archive', 'not-zip', () => createZip([page, style]).subarray(0, 90)],
  ['an archive without its last byte', 'not-zip', () => createZip([page]).subarray(0, -1)],
  ['an archive without its first bytes', 'damaged', () => createZip([page, style]).subarray(7)],
  ['a wrong CRC', 'damaged', () => withPage({ ...style, crc: 1 })],
  ['a size that is too small', 'damaged', () => withPage({ ...style, size: 5 })],
  ['a size that is too large', 'damaged', () => withPage({ ...style, size: 500 })],
  ['a compressed size that is too small', 'damaged', () => withPage({ ...style, compressed: 4 })],
  [
    'a compressed size that goes on after the data',
    'overlap',
    () => createZip([{ ...style, compressed: 60 }, page]),
  ],
  ['a compressed size beyond the end', 'damaged', () => withPage({ ...style, compressed: 1e6 })],
  ['data that isn’t compressed', 'damaged', () => withPage({ ...style, data: createNoise(30) })],
  [
    'data that is cut off',
    'damaged',
    () => withPage({ ...style, data: deflateRawSync('a'.repeat(99)).subarray(0, -2) }),
  ],
  [
    'bytes after the data',
    'damaged',
    () =>
      withPage({
        ...style,
        data: Buffer.concat([deflateRawSync('body { color: red }'), createNoise(9)]),
      }),
  ],
  [
    'a descriptor with another CRC',
    'damaged',
    () => withPage({ ...style, descriptor: { crc: 1 } }),
  ],
  [
    'a descriptor with another size',
    'damaged',
    () => withPage({ ...style, descriptor: { size: 1 } }),
  ],
  [
    'no descriptor, though its flag is set',
    'damaged',
    () => withPage({ ...style, flags: 0x808, local: { crc: 0, size: 0, compressed: 0 } }),
  ],
  [
    'another name in the local header',
    'damaged',
    () => withPage({ ...style, local: { name: 'other.css' } }),
  ],
  ['another size in the local header', 'damaged', () => withPage({ ...style, local: { size: 1 } })],
  [
    'another method in the local header',
    'damaged',
    () => withPage({ ...style, local: { method: 0 } }),
  ],
  [
    'encryption in the local header only',
    'damaged',
    () => withPage({ ...style, local: { flags: 0x801 } }),
  ],
  ['a header beyond the end', 'damaged', () => withPage({ ...style, offset: 1e6 })],
  ['a header that is the one of another file', 'damaged', () => withPage({ ...style, offset: 0 })],
  ['a header within data', 'damaged', () => withPage({ ...style, offset: 3 })],
  ['fewer entries than its end says', 'damaged', () => createZip([page], { count: 2 })],
  ['more entries than its end says', 'damaged', () => createZip([page, style], { count: 1 })],
  ['entries, though its end says none', 'damaged', () => createZip([page, style], { count: 0 })],
  ['a directory beyond the end', 'damaged', () => createZip([page], { directoryOffset: 1e6 })],
  ['a directory of another size', 'damaged', () => createZip([page], { directorySize: 20 })],
  ['bytes before it', 'damaged', () => createZip([page], { prepended: Buffer.from('GIF89a') })],
  ['bytes after it', 'damaged', () => createZip([page], { appended: Buffer.from('<html>') })],
  [
    'another archive in its comment',
    'damaged',
    () => createZip([page], { comment: createZip([style]) }),
  ],
  [
    'an end in its comment',
    'damaged',
    () => {
      const archive = createZip([page, style]);
      const start = archive.indexOf('PK\x01\x02');
      return createZip([page, style], { comment: writeEnd(1, 56, start, {}) });
    },
  ],
  ['a size in ZIP64 that is missing', 'damaged', () => withPage({ ...style, size: 0xffffffff })],
  [
    'a size in ZIP64 beyond all numbers',
    'damaged',
    () => withPage({ ...style, size: 0xffffffff, extra: extraField(1, Buffer.alloc(8, 0xff)) }),
  ],
  [
    'a size in ZIP64 of terabytes',
    'too-large',
    () => withPage({ ...style, size: 0xffffffff, extra: extraField(1, pack([8, 2 ** 42])) }),
  ],
  [
    'an end in ZIP64 that is missing',
    'damaged',
    () => createZip([page], { directoryOffset: 0xffffffff }),
  ],
  ['another count in ZIP64', 'damaged', () => createZip([page], { zip64: { count: 3 } })],
];

const bombs: readonly HostileArchive[] = [
  ['4 GB of zeros', 'too-large', () => withPage(zeros(2 ** 32 - 2))],
  ['4 GB of zeros that say they are 100 KB', 'damaged', () => withPage(zeros(100 * 1024))],
  ['files that quote each other', 'overlap', () => createQuotedBomb(20)],
  ['files with the same bytes', 'damaged', () => createSharedBomb(20)],
  ['2 MB of zeros', 'ratio', () => withPage({ name: 'a', content: Buffer.alloc(2 * megabyte) })],
  [
    '199 times 100 KB of zeros',
    'ratio',
    () =>
      createZip([
        page,
        ...Array.from({ length: 199 }, (_, at) => ({
          name: `${at}`,
          content: Buffer.alloc(100 * 1024),
        })),
      ]),
  ],
  [
    'a file of 5 MB',
    'too-large',
    () => withPage({ name: 'a', content: createNoise(5 * megabyte) }),
  ],
  [
    '26 MB of files',
    'too-large',
    () =>
      createZip(
        Array.from({ length: 9 }, (_, at) => ({
          name: `${at}.html`,
          method: 0,
          content: createNoise(3 * megabyte),
        })),
      ),
  ],
  ['an archive of 27 MB', 'too-large', () => Buffer.alloc(27 * megabyte)],
  ['201 files', 'too-large', () => createMany(201, false)],
  ['65,534 entries', 'too-many', () => createMany(65_534, false)],
  ['100,000 entries', 'too-many', () => createMany(100_000, true)],
  [
    '100,000 entries whose directory is elsewhere and whose headers are nowhere',
    'damaged',
    () => createMany(100_000, false, { offset: 7 }),
  ],
  ['100,000 entries that say they are 34,464', 'too-many', () => createMany(100_000, false)],
];

/** Archives that nothing is taken from. */
export const hostileArchives: readonly HostileArchive[] = [...names, ...kinds, ...broken, ...bombs];
