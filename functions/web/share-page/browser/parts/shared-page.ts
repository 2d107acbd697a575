/** Waits until the page is shown: a browser may load it before someone asks for it. */
const untilShown = async (): Promise<void> => {
  if (!(document as { prerendering?: boolean }).prerendering) return;
  await new Promise((resolve) =>
    document.addEventListener('prerenderingchange', resolve, { once: true }),
  );
};

/** Counts the view. Returns whether the reader is the owner. */
const countView = async (url: string): Promise<boolean> => {
  const response = await fetch(url, {
    method: 'POST',
    // Counts also if the reader leaves at once.
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ claim: crypto.randomUUID() }),
  });
  return response.ok && (await response.json()).isOwner === true;
};

/**
 * Counts a view of a page that is the same for everyone, and shows its owner what they can do. Without an answer the page
 * stays as it is.
 */
export const completePage = async (bar: HTMLElement, enableBar: () => void): Promise<void> => {
  await untilShown();
  try {
    if (!(await countView(bar.dataset['counts'] ?? ''))) return;
    // Loaded for owners only.
    await (await import('./own/owners-bar.ts')).showOwnersBar(bar);
    enableBar();
  } catch {
    // The view isn't counted, which no reader notices.
  }
};
