import { expect, it } from 'vitest';
import { sealFile } from '../../../functions/web/browser/sealed/content.ts';
import { createFragment, readKey } from '../../../functions/web/browser/sealed/key.ts';
import { getEnvelopeBytes, mostSealableBytes } from '../../../functions/web/browser/sealed/size.ts';
import { maxFileBytes } from '../../../shared/share-files/limits.ts';

const sealBytes = async (size: number): Promise<number> => {
  const key = await readKey(createFragment({ hasPassphrase: true }), 'a');
  return (await sealFile(key, new Uint8Array(size))).bytes.length;
};

it.each([0, 1, 1_020, 1_021, 65_000, 1_000_003])(
  'an envelope of %d bytes is no larger than told, and hardly smaller',
  async (size) => {
    const told = getEnvelopeBytes(size);
    const bytes = await sealBytes(size);
    expect(bytes).toBeLessThanOrEqual(told);
    expect(bytes).toBeGreaterThan(told - 256);
  },
);

it('the most bytes that can be sealed fit, and one more may not', async () => {
  const most = mostSealableBytes(maxFileBytes);
  expect(await sealBytes(most)).toBeLessThanOrEqual(maxFileBytes);
  expect(getEnvelopeBytes(most + 1)).toBeGreaterThan(maxFileBytes);
  expect(most).toBeGreaterThan(3.9 * 1_024 * 1_024);
});
