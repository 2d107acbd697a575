import { spawnSync } from 'node:child_process';
import { createDecipheriv, hkdfSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  openContent,
  openFile,
  type SealedContent,
  sealContent,
  sealFile,
} from '../../../functions/web/browser/sealed/content.ts';
import {
  createFragment,
  parseFragment,
  readKey,
  toProof,
} from '../../../functions/web/browser/sealed/key.ts';
import { open, seal } from '../../../functions/web/browser/sealed/seal.ts';
import { fromBase64url, toBase64url } from '../../../shared/sealed/base64url.ts';
import { type EnvelopeHeader, writeStart } from '../../../shared/sealed/envelope.ts';

interface Vector {
  readonly name: string;
  readonly fragment: string;
  readonly passphrase?: string;
  readonly proof: string;
  readonly envelope: string;
  readonly content: SealedContent;
  readonly sealedFiles: readonly { path: string; envelope: string; content: string }[];
}

const vectors: readonly Vector[] = JSON.parse(
  readFileSync(
    join(import.meta.dirname, '../../../functions/web/browser/sealed/vectors.json'),
    'utf8',
  ),
);

const decode = (text: string): Uint8Array<ArrayBuffer> => fromBase64url(text) ?? new Uint8Array();

/** Runs the script that knows nothing of our code. */
const openAlone = (fragment: string, envelope: string, passphrase = '') => {
  const script = join(import.meta.dirname, 'open-sealed.mjs');
  const { stdout } = spawnSync(process.execPath, [script, fragment, passphrase], {
    input: envelope,
    encoding: 'utf8',
  });
  const opened: { proof: string; header: EnvelopeHeader; content: string } = JSON.parse(stdout);
  return opened;
};

const newKey = async (passphrase?: string) => {
  const fragment = createFragment({ hasPassphrase: passphrase !== undefined });
  return { fragment, key: await readKey(fragment, passphrase) };
};

const plan = { language: 'markdown', text: '# Plan\n\nMeet at nine.', files: [] } as const;

describe.each(vectors)('the vector of $name', (vector) => {
  const { fragment, passphrase, proof, envelope, content, sealedFiles } = vector;

  it('is opened with its key', async () => {
    const key = await readKey(fragment, passphrase);
    expect(await toProof(key)).toBe(proof);
    expect(await openContent(key, envelope)).toEqual(content);
  });

  it('has files that are opened by what the content says of them', async () => {
    const key = await readKey(fragment, passphrase);
    const opened = await Promise.all(
      sealedFiles.map(async (file, at) => {
        const named = content.files[at];
        return named && toBase64url(await openFile(key, named, decode(file.envelope)));
      }),
    );
    expect(opened).toEqual(sealedFiles.map((file) => file.content));
  });

  it('is opened by a script without our code', () => {
    const { language, text, files } = content;
    const opened = openAlone(fragment, envelope, passphrase);
    expect(opened.proof).toBe(proof);
    expect(opened.header).toMatchObject({
      kind: 'content',
      language,
      passphrase: passphrase !== undefined,
    });
    expect(JSON.parse(Buffer.from(opened.content, 'base64url').toString())).toEqual({
      text,
      files,
    });
  });
});

describe('a sealed content', () => {
  it('is opened by a script without our code', async () => {
    const { fragment, key } = await newKey();
    const opened = openAlone(fragment, await sealContent(key, plan));
    expect(opened.proof).toBe(await toProof(key));
    expect(JSON.parse(Buffer.from(opened.content, 'base64url').toString())).toEqual({
      text: plan.text,
      files: [],
    });
  });

  it('is another envelope each time, with the same proof', async () => {
    const { fragment, key } = await newKey();
    const [first, second] = [await sealContent(key, plan), await sealContent(key, plan)];
    expect(first.slice(-100)).not.toBe(second.slice(-100));
    expect(await toProof(await readKey(`#${fragment}`))).toBe(await toProof(key));
  });

  it('is the same to Node’s crypto and to WebCrypto', async () => {
    const { fragment, key } = await newKey();
    const { bytes } = await seal(key, { kind: 'file' }, new Uint8Array([1, 2, 3]));
    const start = 6 + ((bytes[4] ?? 0) << 8) + (bytes[5] ?? 0);
    const { id }: EnvelopeHeader = JSON.parse(Buffer.from(bytes.subarray(6, start)).toString());
    const secret = parseFragment(fragment)?.bytes ?? new Uint8Array();
    const info = 'handbill-sealed/1 content';
    const derived = Buffer.from(hkdfSync('sha256', secret, Buffer.from(id, 'base64url'), info, 44));
    const decipher = createDecipheriv('aes-256-gcm', derived.subarray(0, 32), derived.subarray(32));
    decipher.setAAD(bytes.subarray(0, start));
    decipher.setAuthTag(bytes.subarray(-16));
    const plain = Buffer.concat([decipher.update(bytes.subarray(start, -16)), decipher.final()]);
    expect(plain.subarray(0, 8)).toEqual(Buffer.from([0, 0, 0, 3, 1, 2, 3, 0]));
  });
});

describe('what was changed', () => {
  const sealPlan = async () => {
    const { key } = await newKey();
    const envelope = decode(await sealContent(key, plan));
    const start = 6 + ((envelope[4] ?? 0) << 8) + (envelope[5] ?? 0);
    return { key, envelope, start };
  };

  const flip = (bytes: Uint8Array<ArrayBuffer>, at: number): Uint8Array<ArrayBuffer> => {
    const changed = bytes.slice();
    changed[at] = (changed[at] ?? 0) ^ 1;
    return changed;
  };

  it('is refused for each byte of the magic, the version, the length and the header', async () => {
    const { key, envelope, start } = await sealPlan();
    for (let at = 0; at < start; at++) {
      await expect(open(key, 'content', flip(envelope, at)), String(at)).rejects.toMatchObject({
        name: 'SealedError',
        problem: expect.stringMatching(/^(format|version|key|mismatch)$/),
      });
    }
  });

  it('is refused for bytes of the ciphertext and each of the tag', async () => {
    const { key, envelope, start } = await sealPlan();
    const end = envelope.length;
    const places = [start, start + 4, start + 100, end - 17];
    const tag = Array.from({ length: 16 }, (_, at) => end - 16 + at);
    for (const at of [...places, ...tag]) {
      await expect(open(key, 'content', flip(envelope, at)), String(at)).rejects.toMatchObject({
        problem: 'key',
      });
    }
  });

  it('is refused if it is shorter or longer', async () => {
    const { key, envelope, start } = await sealPlan();
    for (const length of [0, 3, 6, start, start + 16, envelope.length - 1]) {
      await expect(open(key, 'content', envelope.slice(0, length))).rejects.toMatchObject({
        name: 'SealedError',
      });
    }
    const longer = new Uint8Array([...envelope, 0]);
    await expect(open(key, 'content', longer)).rejects.toMatchObject({ problem: 'key' });
  });

  it.each([
    ['language', { language: 'html' }],
    ['id', { id: toBase64url(new Uint8Array(16)) }],
  ] as const)('is refused with another %s', async (_, change) => {
    const { key, envelope, start } = await sealPlan();
    const header: EnvelopeHeader = JSON.parse(Buffer.from(envelope.subarray(6, start)).toString());
    const same = new Uint8Array([...writeStart(header), ...envelope.slice(start)]);
    expect((await open(key, 'content', same)).header).toEqual(header);
    const other = [...writeStart({ ...header, ...change }), ...envelope.slice(start)];
    await expect(open(key, 'content', new Uint8Array(other))).rejects.toMatchObject({
      problem: 'key',
    });
  });

  it('is refused with another passphrase option, kind, or an unknown field', async () => {
    const { key, envelope, start } = await sealPlan();
    const header: EnvelopeHeader = JSON.parse(Buffer.from(envelope.subarray(6, start)).toString());
    const { language, ...ofFile } = header;
    const others = [
      { ...header, passphrase: true },
      { ...ofFile, kind: 'file' },
      { ...header, compressed: true },
    ] as const;
    const problems = await Promise.all(
      others.map((other) =>
        open(
          key,
          'content',
          new Uint8Array([...writeStart(other), ...envelope.slice(start)]),
        ).catch(({ problem }) => problem),
      ),
    );
    expect(problems).toEqual(['mismatch', 'mismatch', 'format']);
  });

  it('is refused if another file of the share is in its place', async () => {
    const { key } = await newKey();
    const [first, second] = [
      await sealFile(key, new Uint8Array([1])),
      await sealFile(key, new Uint8Array([2])),
    ];
    expect(await openFile(key, { id: first.id, size: 1 }, first.bytes)).toEqual(
      new Uint8Array([1]),
    );
    await expect(openFile(key, { id: first.id, size: 1 }, second.bytes)).rejects.toMatchObject({
      problem: 'mismatch',
    });
    await expect(openFile(key, { id: first.id, size: 2 }, first.bytes)).rejects.toMatchObject({
      problem: 'mismatch',
    });
  });

  it('is refused as text that an encoder wouldn’t write', async () => {
    const { key } = await newKey();
    const envelope = await sealContent(key, plan);
    for (const text of [`${envelope}=`, envelope.replace('S', '+'), `${envelope} `, '']) {
      await expect(openContent(key, text)).rejects.toMatchObject({ problem: 'format' });
    }
  });
});

describe('the key', () => {
  it('opens nothing that another one has sealed', async () => {
    const [one, other] = [await newKey(), await newKey()];
    await expect(openContent(other.key, await sealContent(one.key, plan))).rejects.toMatchObject({
      problem: 'key',
    });
  });

  it('joins the passphrase, in any normal form', async () => {
    const { fragment, key } = await newKey('Zürich 8001');
    const envelope = await sealContent(key, plan);
    expect(await openContent(await readKey(fragment, 'Zu\u0308rich 8001'), envelope)).toEqual(plan);
    const other = await readKey(fragment, 'zürich 8001');
    expect(await toProof(other)).not.toBe(await toProof(key));
    await expect(openContent(other, envelope)).rejects.toMatchObject({ problem: 'key' });
  });

  it('is refused without the passphrase that the fragment asks for, and with one that it doesn’t', async () => {
    const { fragment } = await newKey('secret');
    for (const passphrase of [undefined, '']) {
      await expect(readKey(fragment, passphrase)).rejects.toMatchObject({ problem: 'key' });
    }
    const plain = createFragment({ hasPassphrase: false });
    await expect(readKey(plain, 'secret')).rejects.toMatchObject({ problem: 'key' });
  });

  it.each([
    '',
    '#',
    'k1.',
    `k2.${'A'.repeat(43)}`,
    `k1.${'A'.repeat(42)}`,
    `k1.${'A'.repeat(42)}B`,
  ])('is no key: %j', async (fragment) => {
    expect(parseFragment(fragment)).toBeUndefined();
    await expect(readKey(fragment)).rejects.toMatchObject({ problem: 'key' });
  });
});
