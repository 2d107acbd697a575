import { describe, expect, it } from 'vitest';
import { openFile } from '../../../functions/web/browser/sealed/content.ts';
import { sealUpload } from '../../../functions/web/browser/sealed/files.ts';
import { createFragment, readKey } from '../../../functions/web/browser/sealed/key.ts';
import { findLinkFragment, joinLink } from '../../../functions/web/browser/sealed/link.ts';
import { sealedFileName } from '../../../shared/sealed/envelope.ts';

const address = 'https://share.example.com/s/codes';

describe('the whole link of a sealed share', () => {
  it.each([false, true])('has the key that joined it, with a passphrase: %s', (hasPassphrase) => {
    const fragment = createFragment({ hasPassphrase });
    expect(findLinkFragment(` ${joinLink(address, fragment)}\n`)).toBe(fragment);
    expect(findLinkFragment(fragment)).toBe(fragment);
  });

  it.each(['.', ')', '>,', '&utm_source=chat', '%20', '#part', ' is the link'])(
    'is found before what a text or a program adds: %s',
    (added) => {
      const fragment = createFragment({ hasPassphrase: false });
      expect(findLinkFragment(joinLink(address, fragment) + added)).toBe(fragment);
    },
  );

  it.each([
    ['no key', address],
    ['a longer key', `${joinLink(address, createFragment({ hasPassphrase: false }))}A`],
    ['an empty key', `${address}#`],
    ['a short key', joinLink(address, createFragment({ hasPassphrase: false }).slice(0, -1))],
  ])('is none with %s', (_, text) => {
    expect(findLinkFragment(text)).toBeUndefined();
  });
});

it('a sealed file has a path of its own that the service takes', async () => {
  const key = await readKey(createFragment({ hasPassphrase: false }));
  const plain = {
    name: 'plans/safe.txt',
    type: 'text/plain',
    bytes: new TextEncoder().encode('4711'),
  };
  const [first, second] = [await sealUpload(key, plain), await sealUpload(key, plain)];
  expect(first.file).toMatchObject({ name: plain.name, type: plain.type, size: 4 });
  for (const { file } of [first, second]) expect(file.path).toMatch(sealedFileName);
  expect(first.file.path).not.toBe(second.file.path);
  expect(await openFile(key, first.file, first.bytes)).toEqual(plain.bytes);
});
