import type { PageRequest, Rendered, RenderedPage } from '../../../browser/preview/messages.ts';
import { findPatch } from '../../../browser/preview/patch.ts';
import { render, renderPage } from '../../../browser/preview/render.ts';
import { imageTexts } from '../image-texts.ts';

let before: readonly string[] = [];

addEventListener('message', async ({ data }: MessageEvent<string | PageRequest>) => {
  if (typeof data !== 'string') {
    postMessage({ html: await renderPage(data.page) } satisfies RenderedPage);
    return;
  }
  const { blocks, unshown, ...lines } = await render(data);
  const remark = unshown && imageTexts.notShown(unshown.first, unshown.count);
  const patch = findPatch(before, blocks);
  before = blocks;
  postMessage({ ...patch, ...lines, remark } satisfies Rendered);
});
// Reports that loading is done: the timeout of a conversion starts now.
postMessage(undefined);
