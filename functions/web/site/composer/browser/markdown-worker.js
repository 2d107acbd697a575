import { toPreview } from '../preview-markdown.ts';

/** How long a conversion waits for the highlighter (ms). The page ends one that takes much longer. */
const maxWaitMs = 1_000;

// Loaded once, because it is larger than the rest. Without it, code stays plain.
const highlighter = import('../../../../../shared/markdown/highlight.ts').catch(() => undefined);
const wait = () => new Promise((resolve) => setTimeout(resolve, maxWaitMs));

addEventListener('message', async ({ data }) => {
  const loaded = await Promise.race([highlighter, wait()]);
  postMessage(
    toPreview(
      data,
      loaded?.createHighlighter(() => performance.now() * 1_000),
    ),
  );
});
// Reports that loading is done: the timeout of a conversion starts now.
postMessage('');
