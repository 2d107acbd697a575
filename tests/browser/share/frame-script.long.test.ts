// The script that is added to a snippet changes nothing of how a browser reads it.

import { describe, expect, it } from 'vitest';
import { withFrameScript } from '../../../functions/web/snippet/frame-script.ts';
import { hasBrowser } from '../../support/pages/browser.ts';
import { browser } from '../../support/pages/shared-browser.ts';

describe.skipIf(!hasBrowser)('the frame script', () => {
  it('keeps the document and its quirks or standards mode', async () => {
    const page = await browser.newPage();
    const read = async (document: string) => {
      const url = `data:text/html;charset=utf-8,${encodeURIComponent(document)}`;
      await page.setContent(`<iframe src="${url}"></iframe>`);
      const frame = page.frameLocator('iframe').locator(':root');
      return frame.evaluate('document.compatMode + document.documentElement.outerHTML');
    };
    const body = '<table><tr><td>x</table><script>document.write(document.scripts.length)</script>';
    const modes = new Set<string>();
    for (const start of [
      '',
      '<!doctype html>',
      '<!-- a --><!doctype html><html lang="en"><head><title>x</title></head>',
      '<?xml version="1.0"?><!doctype html>',
      '<!doctype html PUBLIC "-//W3C//DTD HTML 3.2//EN">',
      '<p>before<!doctype html>',
      '<!--><!doctype html>',
      '<!-- a --!><!doctype html><html class="a">',
      '<html lang="a>b"><head>',
    ]) {
      const plain = (await read(start + body)) as string;
      expect(await read(withFrameScript(start + body, '/s/x')), start).toBe(plain);
      modes.add(plain.slice(0, 10));
    }
    expect([...modes].sort()).toEqual(['BackCompat', 'CSS1Compat']);
    await page.close();
  });
});
