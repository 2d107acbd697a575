import { describe, expect, it } from 'vitest';
import {
  createUploads,
  type UploadTransport,
} from '../../../../../functions/web/site/composer/browser/parts/share-files/uploads/uploads.ts';

type Sent = {
  readonly path: string;
  readonly finish: () => void;
  readonly fail: (status: number) => void;
  readonly progress: (part: number) => void;
};

const createStub = () => {
  const reserved: { upload: string | undefined; paths: string[] }[] = [];
  const sending: Sent[] = [];
  const canceled: string[] = [];
  const known = new Set<string>();
  let count = 0;
  const stub = {
    expiresAt: '2026-11-30T00:00:00Z',
    error: undefined as Error | undefined,
    isFull: false,
  };
  const transport: UploadTransport = {
    hash: (bytes) => bytes.text(),
    reserve: async (upload, files) => {
      if (stub.error) throw stub.error;
      if (upload !== undefined && stub.isFull)
        throw Object.assign(new Error('Full'), { status: 413 });
      reserved.push({ upload, paths: files.map(({ path }) => path.replace(/.*\//, '')) });
      if (upload === undefined) count++;
      return {
        id: upload ?? `upload-${count}`,
        expiresAt: stub.expiresAt,
        known: files.filter(({ sha256 }) => known.has(sha256)).map(({ path }) => path),
        forms: files
          .filter(({ sha256 }) => !known.has(sha256))
          .map(({ path }) => ({ path, url: 'https://bucket.example', fields: {} })),
      };
    },
    send: ({ path }, _, progress, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        const fail = (status: number) => reject(Object.assign(new Error('No'), { status }));
        sending.push({ path: path.replace(/.*\//, ''), finish: resolve, fail, progress });
      }),
    cancel: async (id) => void canceled.push(id),
  };
  return { transport, reserved, sending, canceled, known, stub };
};

const now = () => Date.parse('2026-11-29T00:00:00Z');

/** Lets all that waits for nothing else happen. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

const toFiles = (names: string) =>
  [...names].map((name) => ({ path: `${name}.txt`, bytes: new Blob([name]) }));

const start = async (names: string) => {
  const stub = createStub();
  const uploads = createUploads(stub.transport, now);
  const files = toFiles(names);
  uploads.want(files);
  await settle();
  const states = () =>
    files.map(({ bytes }) => uploads.states.value.get(bytes)?.is[0] ?? '-').join('');
  return { ...stub, uploads, files, states };
};

describe('uploads', () => {
  it('announce all files at once and send four at a time', async () => {
    const { reserved, sending, states, uploads } = await start('abcdef');
    expect(reserved).toEqual([
      { upload: undefined, paths: ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt', 'f.txt'] },
    ]);
    expect(states()).toBe('ssssqq');
    sending[1]?.finish();
    await settle();
    expect(sending.map(({ path }) => path)).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt']);
    for (const { finish } of sending) finish();
    await settle();
    sending.at(-1)?.finish();
    await uploads.finish();
    expect(uploads.getUpload()).toEqual({
      id: 'upload-1',
      expiresAt: '2026-11-30T00:00:00Z',
      sent: ['b', 'a', 'c', 'd', 'e', 'f'],
    });
  });

  it('tell progress, and send a file again that failed, by the same form after a lost connection', async () => {
    const { reserved, sending, states, uploads, files } = await start('a');
    sending[0]?.progress(0.64);
    const [file] = files;
    expect(file && uploads.states.value.get(file.bytes)).toEqual({ is: 'sending', part: 0.64 });
    sending[0]?.fail(0);
    await settle();
    expect(states()).toBe('f');
    uploads.retry();
    await settle();
    expect(reserved).toHaveLength(1);
    sending[1]?.fail(403);
    await settle();
    uploads.retry(file?.bytes);
    await settle();
    expect(reserved.map(({ upload }) => upload)).toEqual([undefined, 'upload-1']);
    sending[2]?.finish();
    await uploads.finish();
    expect(uploads.getUpload()?.sent).toEqual(['a']);
  });

  it('send nothing for bytes that the share or the upload has, whatever their paths', async () => {
    const { known, sending, uploads, files, reserved } = await start('a');
    sending[0]?.finish();
    await settle();
    known.add('b');
    const again = { path: 'renamed.txt', bytes: new Blob(['a']) };
    uploads.want([...files, again, ...toFiles('b')]);
    await uploads.finish();
    await settle();
    await uploads.finish();
    expect(sending).toHaveLength(1);
    expect(reserved.at(-1)).toEqual({ upload: 'upload-1', paths: ['b.txt'] });
    expect(uploads.getUpload()?.sent).toEqual(['a', 'b']);
  });

  it('don’t send twins twice', async () => {
    const { sending, uploads } = await start('aa');
    expect(sending).toHaveLength(1);
    sending[0]?.finish();
    await uploads.finish();
  });

  it('stop sending what isn’t wanted any more', async () => {
    const { sending, uploads, files, states } = await start('abcde');
    uploads.want(files.slice(1));
    await settle();
    expect(states()).toBe('-ssss');
    expect(sending.map(({ path }) => path).at(-1)).toBe('e.txt');
    expect(uploads.stop()).toEqual(['b.txt', 'c.txt', 'd.txt', 'e.txt']);
    await uploads.finish();
    expect(states()).toBe('-----');
  });

  it('fail where files can’t be announced, and try again', async () => {
    const { stub, uploads, files, states, sending } = await start('');
    stub.error = new Error('Storage quota exceeded');
    files.push(...toFiles('ab'));
    uploads.want(files);
    await uploads.finish();
    expect(states()).toBe('ff');
    stub.error = undefined;
    uploads.retry();
    await settle();
    expect(sending).toHaveLength(2);
  });

  it('begin again after the upload has expired', async () => {
    const { stub, uploads, sending, reserved, files } = await start('a');
    sending[0]?.finish();
    await uploads.finish();
    uploads.resume({ id: 'old', expiresAt: '2026-11-29T00:00:30Z' }, ['a']);
    stub.expiresAt = '2026-11-30T00:00:00Z';
    uploads.want([...files, ...toFiles('b')]);
    await settle();
    expect(reserved.at(-1)).toEqual({ upload: undefined, paths: ['a.txt', 'b.txt'] });
  });

  it('leave an upload that is full for another, and send all again', async () => {
    const { stub, uploads, sending, reserved, canceled, files } = await start('a');
    sending[0]?.finish();
    await uploads.finish();
    stub.isFull = true;
    uploads.want([...files, ...toFiles('b')]);
    await settle();
    expect(canceled).toEqual(['upload-1']);
    expect(reserved.at(-1)).toEqual({ upload: undefined, paths: ['a.txt', 'b.txt'] });
  });

  it('go on with an upload of before', async () => {
    const stub = createStub();
    const uploads = createUploads(stub.transport, now);
    uploads.resume({ id: 'before', expiresAt: '2026-11-30T00:00:00Z' }, ['a']);
    uploads.want(toFiles('ab'));
    await settle();
    expect(stub.reserved).toEqual([{ upload: 'before', paths: ['b.txt'] }]);
    uploads.cancel();
    await settle();
    expect(stub.canceled).toEqual(['before']);
    expect(uploads.getUpload()).toBeUndefined();
  });

  it('are deleted, and say whether they are', async () => {
    const { stub, uploads, canceled, transport } = await start('a');
    expect(await uploads.cancel()).toBe(true);
    expect(canceled).toEqual(['upload-1']);
    expect(await uploads.cancel()).toBe(true);
    uploads.want(toFiles('b'));
    await settle();
    transport.cancel = async () => Promise.reject(stub.error ?? new Error('Away'));
    expect(await uploads.cancel()).toBe(false);
  });

  it('are deleted, too, if they are canceled while they are announced', async () => {
    const stub = createStub();
    const uploads = createUploads(stub.transport, now);
    const { reserve } = stub.transport;
    let announce = () => {};
    stub.transport.reserve = async (...asked) => {
      await new Promise<void>((resolve) => {
        announce = resolve;
      });
      return reserve(...asked);
    };
    uploads.want(toFiles('a'));
    await settle();
    expect(await uploads.cancel()).toBe(true);
    announce();
    await settle();
    expect(stub.canceled).toEqual(['upload-1']);
    expect([stub.sending, uploads.getUpload()]).toEqual([[], undefined]);
  });
});
