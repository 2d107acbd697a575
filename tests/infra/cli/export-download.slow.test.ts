import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createShell } from '../../support/cli/handbill.ts';
import { temporaryFolder } from '../../support/run/process.ts';
import { type FakeRequest, useFakeService } from './fake-service.ts';

const service = useFakeService();

const archive = Buffer.from('An archive, which is long enough to be cut off.');

const ready = {
  ...{ id: 7, kind: 'own-data', format: 'zip', status: 'ready', problem: null },
  ...{ requestedAt: '2026-11-21T12:00:00.000Z', readyAt: '2026-11-21T12:01:00.000Z' },
  ...{ expiresAt: '2099-01-01T00:00:00.000Z', bytes: archive.length, leftOut: [] },
};

const success = (data: unknown) => ({ success: true, data });

/** Responds as a service with an archive, whose storage does what a test says. */
const serve = (
  send: (request: FakeRequest) => void,
  given: Readonly<Record<string, (request: FakeRequest) => void>> = {},
): void => {
  const answers: Readonly<Record<string, unknown>> = {
    'GET /api/auth/me': success({ email: 'ann@example.com' }),
    'POST /api/auth/login': { ...success({}), accessToken: 'a', refreshToken: 'r' },
    'POST /api/users/me/export': success(ready),
    'GET /api/users/me/exports': success([ready]),
    'POST /api/users/me/exports/7/download': success({ url: `${service.url}/storage` }),
    'POST /api/auth/logout': success({}),
  };
  service.respond((request) => {
    const { line, answer } = request;
    if (line === 'GET /storage') send(request);
    else if (given[line]) given[line](request);
    else answer(200, answers[line]);
  });
};

/** Sends the bytes from where a request wants them, and no more than so many. */
const sendPart = ({ headers, response, request }: FakeRequest, most = archive.length): void => {
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
  const rest = archive.subarray(from);
  response.writeHead(from > 0 ? 206 : 200, { 'content-length': rest.length });
  if (most >= rest.length) response.end(rest);
  else response.write(rest.subarray(0, most), () => request.socket.destroySoon());
};

const prepare = async () => {
  const folder = await temporaryFolder();
  const { run } = createShell(folder);
  const env = { HANDBILL_URL: service.url, HANDBILL_TOKEN: 'hb_token' };
  return {
    folder,
    save: (...args: string[]) => run(['export', ...args], { env, input: 'correct horse\n' }),
  };
};

const lines = () => service.received().map(({ line }) => line);

describe('handbill export', () => {
  it('goes on where a connection was cut off, from an address signed anew', async () => {
    const { folder, save } = await prepare();
    serve((request) => sendPart(request, 20));
    expect(await save()).toEqual({
      code: 0,
      out: 'handbill-2026-11-21.zip\n',
      err: `handbill-2026-11-21.zip\n${archive.length} bytes saved.\n`,
    });
    expect(await readFile(join(folder, 'handbill-2026-11-21.zip'))).toEqual(archive);
    const ranges = service
      .received()
      .flatMap(({ line, headers }) => (line === 'GET /storage' ? [headers.range] : []));
    // What was on its way when it was cut off may be lost.
    expect([...new Set(ranges)]).toEqual([undefined, 'bytes=20-', 'bytes=40-']);
    expect(lines().filter((line) => line.endsWith('/7/download'))).toHaveLength(ranges.length);
    expect(lines().at(-1)).toBe('POST /api/auth/logout');
  });

  it('goes on with what an earlier run has left, of the same archive', async () => {
    const { folder, save } = await prepare();
    await writeFile(join(folder, 'a.zip.7.part'), archive.subarray(0, 30));
    await writeFile(join(folder, 'a.zip.6.part'), 'Another');
    serve(sendPart);
    expect((await save('-o', 'a.zip')).code).toBe(0);
    expect(await readFile(join(folder, 'a.zip'))).toEqual(archive);
    expect(service.received().at(-2)?.headers.range).toBe('bytes=30-');
    expect((await readdir(folder)).toSorted()).toEqual(['a.zip', 'a.zip.6.part']);
  });

  it('keeps what has come when it is interrupted', async () => {
    const { folder } = await prepare();
    const { run } = createShell(folder);
    serve(({ response }) => {
      response.writeHead(200, { 'content-length': archive.length });
      response.write(archive.subarray(0, 10));
    });
    const part = join(folder, 'a.zip.7.part');
    const ran = await run(['export', '-o', 'a.zip'], {
      env: { HANDBILL_URL: service.url, HANDBILL_TOKEN: 'hb_token' },
      input: 'correct horse\n',
      during: async (child) => {
        const size = async () => (await readFile(part).catch(() => '')).length;
        while ((await size()) < 10) await new Promise(setImmediate);
        child.kill('SIGINT');
      },
    });
    expect(ran).toMatchObject({ code: 130, out: '', err: 'Interrupted.\n' });
    expect(await readFile(part)).toEqual(archive.subarray(0, 10));
  });

  it('uses the last archive if the service makes no other yet, and says so', async () => {
    const { save } = await prepare();
    const error = { code: 'RATE_LIMITED', message: 'Once an hour.', details: [], requestId: 'r' };
    serve(sendPart, {
      'POST /api/users/me/export': ({ answer }) => answer(429, { success: false, error }),
    });
    expect((await save('-o', 'a.zip')).err).toBe(
      `The archive of ${ready.readyAt} is used: the service makes one an hour.\na.zip\n${archive.length} bytes saved.\n`,
    );
  });

  it('says why the service could not make it, and what is left out', async () => {
    const { save } = await prepare();
    const failed = { ...ready, status: 'failed', problem: 'It is too much.' };
    serve(sendPart, {
      'GET /api/users/me/exports': ({ answer }) => answer(200, success([failed])),
    });
    expect(await save()).toEqual({
      code: 1,
      out: '',
      err: 'The export failed: It is too much.\n',
    });
    const leftOut = ['files/a\nb.txt: it was deleted meanwhile.'];
    serve(sendPart, {
      'GET /api/users/me/exports': ({ answer }) => answer(200, success([{ ...ready, leftOut }])),
    });
    expect((await save()).err).toContain(
      'Left out: files/a\\x0ab.txt: it was deleted meanwhile.\n',
    );
  });

  it('proves the password again if the sign-in is too old by then', async () => {
    const { save } = await prepare();
    const error = {
      ...{ code: 'REAUTHENTICATION_REQUIRED', message: 'Prove it.', requestId: 'r' },
      details: [{ field: 'currentPassword', message: 'is required' }],
    };
    serve(sendPart, {
      'POST /api/users/me/exports/7/download': ({ before, answer }) =>
        before === 0
          ? answer(403, { success: false, error })
          : answer(200, success({ url: `${service.url}/storage` })),
      'POST /api/auth/reauthenticate': ({ answer }) => answer(200, success({})),
    });
    expect((await save()).code).toBe(0);
    expect(lines()).toContain('POST /api/auth/reauthenticate');
  });

  it('gives up a storage that refuses', async () => {
    const { folder, save } = await prepare();
    serve(({ answer }) => answer(403, {}));
    expect(await save()).toEqual({
      code: 1,
      out: '',
      err: 'The storage refused the download (403).\n',
    });
    expect(await readdir(folder)).toEqual([]);
  });
});
