import type { RichPasteOptions } from './offer.ts';

/**
 * Offers Markdown for rich text that is about to be pasted as plain text, if it has structure. The editor's undo takes it back
 * to the plain text.
 */
export const watchPaste = (data: DataTransfer | null, options: RichPasteOptions): void => {
  const html = data?.getData('text/html') ?? '';
  if (html === '') return;
  const { editor } = options;
  const { length } = editor.getText();
  const { from, to } = editor.getSelection();
  // The paste itself comes first.
  setTimeout(async () => {
    const after = editor.getText();
    const text = after.slice(from, after.length - length + to);
    // Without the code, the plain text stays.
    const loaded = await import('./offer.ts').catch(() => undefined);
    loaded?.offerMarkdown(html, { text, from }, options);
  });
};
