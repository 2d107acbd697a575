import type { Page } from 'playwright-core';

/** What a clipboard holds. */
export interface Clipboard {
  readonly plain: string;
  readonly html: string;
  /** Adds an image, as office programs do. */
  readonly hasImage?: boolean;
}

/** Pastes rich text into CodeMirror. */
export const pasteRich = (page: Page, clipboard: Clipboard): Promise<unknown> =>
  page.evaluate(`{
    const { plain, html, hasImage } = ${JSON.stringify(clipboard)};
    const data = new DataTransfer();
    data.setData('text/plain', plain);
    data.setData('text/html', html);
    if (hasImage) data.items.add(new File(['PNG'], 'image.png', { type: 'image/png' }));
    const target = document.querySelector('.editor').shadowRoot.querySelector('.cm-content');
    target.focus();
    target.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, composed: true, cancelable: true }));
  }`);
