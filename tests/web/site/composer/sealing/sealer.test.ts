import { describe, expect, it } from 'vitest';
import { createFragment, parseFragment } from '../../../../../functions/web/browser/sealed/key.ts';
import {
  createNewKey,
  openShare,
} from '../../../../../functions/web/site/composer/browser/parts/sealing/sealer.ts';

const content = { language: 'markdown', text: 'The safe opens with 4711.', files: [] } as const;

const newSealer = () => createNewKey().choose('asked', undefined);

describe('a sealer', () => {
  it('seals the same content once, so that it is sent again as it was, and another one anew', async () => {
    const sealer = await newSealer();
    const first = await sealer.sealContent(content);
    expect(await sealer.sealContent({ ...content })).toBe(first);
    const other = await sealer.sealContent({ ...content, text: 'Another' });
    expect(other).not.toBe(first);
    expect(await sealer.sealContent(content)).not.toBe(first);
  });

  it('seals the bytes of a file once, whatever it is called', async () => {
    const sealer = await newSealer();
    const bytes = new Blob(['4711']);
    expect(sealer.findEnvelope(bytes)).toBeUndefined();
    const first = await sealer.sealFile({ name: 'a.txt', type: 'text/plain', bytes });
    const renamed = await sealer.sealFile({ name: 'b.csv', type: 'text/csv', bytes });
    expect(renamed.envelope).toBe(first.envelope);
    expect(renamed.file).toEqual({ ...first.file, name: 'b.csv', type: 'text/csv' });
    expect(sealer.findEnvelope(bytes)).toBe(first.envelope);
    const envelope = new Uint8Array(await first.envelope.arrayBuffer());
    expect(await sealer.openFile(first.file, envelope)).toEqual(new TextEncoder().encode('4711'));
  });

  it('opens a stored share, and seals it again under the same key', async () => {
    const first = await newSealer();
    const envelope = await first.sealContent(content);
    const { sealer, content: opened } = await openShare(envelope, first.fragment);
    expect(opened).toEqual(content);
    expect([sealer.fragment, sealer.proof]).toEqual([first.fragment, first.proof]);
    expect(await sealer.sealContent(content)).not.toBe(envelope);
    const other = createFragment({ hasPassphrase: false });
    await expect(openShare(envelope, other)).rejects.toMatchObject({ problem: 'key' });
    const joined = createFragment({ hasPassphrase: true });
    await expect(openShare(envelope, joined, 'a')).rejects.toMatchObject({ problem: 'mismatch' });
  });
});

describe('the key of a new share', () => {
  it('stays while the share is refused, whatever is changed of it', async () => {
    const key = createNewKey();
    const first = await key.choose('one', undefined);
    expect(await key.choose('one', undefined)).toBe(first);
    expect(await key.choose('two', undefined)).toBe(first);
  });

  it('is that of a request whose answer was lost, and another one for another request', async () => {
    const key = createNewKey();
    const first = await key.choose('one', undefined);
    key.noteLost();
    expect(await key.choose('one', undefined)).toBe(first);
    const second = await key.choose('two', undefined);
    expect(second.proof).not.toBe(first.proof);
    expect(await key.choose('three', undefined)).toBe(second);
  });

  it('is another one with another passphrase, which its fragment asks for', async () => {
    const key = createNewKey();
    const first = await key.choose('one', undefined);
    const joined = await key.choose('one', 'Blue heron');
    expect(joined.fragment.slice(3)).not.toBe(first.fragment.slice(3));
    expect([first, joined].map(({ fragment }) => parseFragment(fragment)?.hasPassphrase)).toEqual([
      ...[false, true],
    ]);
    expect(await key.choose('one', 'Blue heron')).toBe(joined);
    expect(await key.choose('one', 'Grey heron')).not.toBe(joined);
  });
});
