// What `handbill get` sends for the link of a sealed share, to a service that does what the test says.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openContent } from '../../../functions/web/browser/sealed/content.ts';
import { readKey, toProof } from '../../../functions/web/browser/sealed/key.ts';
import { createShell } from '../../support/cli/handbill.ts';
import { temporaryFolder } from '../../support/run/process.ts';
import { newSeal, sealText, secretText } from '../../support/shares/sealed.ts';
import { type FakeRequest, useFakeService } from './fake-service.ts';

const own = useFakeService();
const other = useFakeService();

const start = async () => createShell(await temporaryFolder());

const notFound = { error: { code: 'NOT_FOUND', message: 'Share not found.', details: [] } };

/** Answers what is asked of a share of somebody else. */
const serve =
  (share: object) =>
  ({ line, answer }: FakeRequest): void => {
    if (line.includes('mine=true')) answer(404, notFound);
    else answer(200, share);
  };

const share = async (change: object = {}) => {
  const seal = await newSeal();
  const content = await sealText(seal);
  return { seal, body: { id: 'codes', language: 'markdown', sealed: true, content, ...change } };
};

const token = { HANDBILL_TOKEN: 'hb_token' };

describe('handbill get with the link of a sealed share', () => {
  it('proves the key, and sends neither it nor the token to another service', async () => {
    const { seal, body } = await share();
    own.respond(serve(body));
    other.respond(serve(body));
    const { run } = await start();
    const link = `${other.url}/s/codes#${seal.fragment}`;
    const ran = await run(['get', link], { env: { HANDBILL_URL: own.url, ...token } });
    expect(ran).toEqual({ code: 0, out: secretText, err: '' });
    expect(own.received()).toEqual([]);
    const sent = JSON.stringify(other.received());
    expect(sent).not.toContain('hb_token');
    expect(sent).not.toContain(seal.fragment.slice(3));
    expect(other.received().at(-1)?.headers).toMatchObject({ 'x-share-proof': seal.proof });
  });

  it('repeats a lost answer as the same view', async () => {
    const { seal, body } = await share();
    own.respond((request) => {
      const isLost = !request.line.includes('mine=true') && request.before === 0;
      if (isLost) request.response.destroy();
      else serve(body)(request);
    });
    const { run } = await start();
    const ran = await run(['get', `codes#${seal.fragment}`], {
      env: { HANDBILL_URL: own.url, ...token },
    });
    expect(ran).toEqual({ code: 0, out: secretText, err: '' });
    const claims = own.received().flatMap(({ headers }) => headers['x-share-claim'] ?? []);
    expect(claims).toEqual([claims[0], claims[0]]);
  });

  it.each<[string, object, RegExp]>([
    [
      'isn’t sealed',
      { sealed: undefined, content: '# Plain' },
      /^The share isn’t sealed, as its link says/,
    ],
    [
      'is plain, although it is said to be sealed',
      { content: '# Plain' },
      /^The share was changed or damaged/,
    ],
  ])('shows nothing of what %s', async (_, change, message) => {
    const { seal, body } = await share(change);
    own.respond(serve(body));
    const { run } = await start();
    const ran = await run(['get', `codes#${seal.fragment}`], { env: { HANDBILL_URL: own.url } });
    expect(ran).toMatchObject({ code: 1, out: '' });
    expect(ran.err).toMatch(message);
  });

  it('shows nothing of an envelope that was changed', async () => {
    const { seal, body } = await share();
    const { content } = body;
    const changed = `${content.slice(0, -3)}${content.endsWith('AAA') ? 'BBB' : 'AAA'}`;
    own.respond(serve({ ...body, content: changed }));
    const { run } = await start();
    const ran = await run(['get', `codes#${seal.fragment}`], { env: { HANDBILL_URL: own.url } });
    expect(ran).toMatchObject({ code: 1, out: '' });
    expect(ran.err).toMatch(/nothing of it is shown/);
  });
});

it('handbill share --sealed repeats the same envelope under the same key of the request after a lost answer', async () => {
  const sent: { readonly key: unknown; readonly body: string }[] = [];
  own.respond((request) => {
    const { headers, before, response, answer, read } = request;
    void read().then((body) => {
      sent.push({ key: headers['idempotency-key'], body: body.toString() });
      if (before === 0) response.destroy();
      else answer(201, { id: 'codes', url: `${own.url}/s/codes`, audience: 'link' });
    });
  });
  const { run } = await start();
  const env = { HANDBILL_URL: own.url, ...token };
  const ran = await run(['share', '--sealed', '-'], { env, input: secretText });
  expect(ran.out).toMatch(new RegExp(`^${own.url}/s/codes#k1\\.`));
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
  const { content, proof, ...body } = JSON.parse(sent[0]?.body ?? '{}');
  expect(body).toEqual({ sealed: true, language: 'markdown' });
  const fragment = ran.out.trim().slice(ran.out.indexOf('#') + 1);
  const key = await readKey(fragment);
  expect(await toProof(key)).toBe(proof);
  expect((await openContent(key, content)).text).toContain(secretText);
});

it('handbill share --sealed says what is too large before it sends anything', async () => {
  own.respond(() => expect.unreachable());
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'a.bin'), new Uint8Array(4 * 1024 * 1024));
  await writeFile(join(folder, 'a.html'), `<p>${'x'.repeat(4 * 1024 * 1024)}</p>`);
  const { run } = createShell(folder);
  const env = { HANDBILL_URL: own.url, ...token };
  const file = await run(['share', '--sealed', 'a.bin', 'a.html'], { env });
  expect(file.err).toBe('Too large: “a.bin”. A file of a sealed share can have 3.9 MB.\n');
  const text = await run(['share', '--sealed', 'a.html'], { env });
  await writeFile(join(folder, 'a.log'), 'x'.repeat(600 * 1024));
  const lines = await run(['share', '--sealed', 'a.log'], { env });
  expect(lines.err).toMatch(/^This is larger than 512 KB, the most of Markdown and of lines\./);
  expect(text.err).toMatch(/^The text is larger than 3\.5 MB, the most that can be sealed\./);
});
