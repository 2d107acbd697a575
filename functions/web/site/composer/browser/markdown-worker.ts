import type { Rendered } from '../../../browser/preview/messages.ts';
import { findPatch } from '../../../browser/preview/patch.ts';
import { render } from '../../../browser/preview/render.ts';

let before: readonly string[] = [];

addEventListener('message', async ({ data }: MessageEvent<string>) => {
  const { blocks, ...lines } = await render(data);
  const patch = findPatch(before, blocks);
  before = blocks;
  postMessage({ ...patch, ...lines } satisfies Rendered);
});
// Reports that loading is done: the timeout of a conversion starts now.
postMessage(undefined);
