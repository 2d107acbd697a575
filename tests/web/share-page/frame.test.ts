import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withFrameScript } from '../../../functions/web/snippet/frame-script.ts';
import { hasBrowser, launchBrowser } from '../../support/pages/browser.ts';

const script =
  /<script>document\.currentScript\.remove.*?\("https:\/\/handbill\.test"\)\}<\/script>/;
const marked = (document: string): string => withFrameScript(document).replace(script, '|');

describe('the frame script', () => {
  it.each([
    ['<p>x', '|<p>x'],
    ['', '|'],
    ['<!doctype html><p>x', '<!doctype html>|<p>x'],
    ['\ufeff \n<!DOCTYPE HTML>\n<p>x', '\ufeff \n<!DOCTYPE HTML>|\n<p>x'],
    ['<!doctype html><html><head><title>x', '<!doctype html><html><head>|<title>x'],
    [
      '<!doctype html>\n<html lang="a>b">\n<head data-a=\'>\'>x',
      '<!doctype html>\n<html lang="a>b">\n<head data-a=\'>\'>|x',
    ],
    [
      '<!-- a --><!doctype html><!-- b --><html><!-- <head> --><head>x',
      '<!-- a --><!doctype html><!-- b --><html><!-- <head> --><head>|x',
    ],
    [
      '<?xml version="1.0"?><!doctype html><html/>x',
      '<?xml version="1.0"?><!doctype html><html/>|x',
    ],
    ['<!--><!doctype html>x', '<!--><!doctype html>|x'],
    ['<!-- a --!><!doctype html>x', '<!-- a --!><!doctype html>|x'],
    ['<!-- never closed <!doctype html>', '|<!-- never closed <!doctype html>'],
    [
      '<!doctype html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">x',
      '<!doctype html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">|x',
    ],
    ['<header>x</header>', '|<header>x</header>'],
    ['<html><headline>x', '<html>|<headline>x'],
  ])('is inserted into %j at the start of the head', (document, expected) => {
    expect(marked(document)).toBe(expected);
  });

  it('is added to 2 MB of any content', () => {
    const megabytes = (text: string) => text.repeat(Math.ceil((2 * 1024 * 1024) / text.length));
    for (const document of [
      megabytes(' '),
      megabytes('<!--'),
      `<html ${megabytes('a="')}`,
      `<!doctype ${megabytes("'")}`,
      megabytes('<?'),
      megabytes('<!-- -->'),
    ]) {
      expect(withFrameScript(document).length - document.length).toBeLessThan(2_000);
    }
  });
});

describe.skipIf(!hasBrowser)('in a browser', { timeout: 120_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  it('keeps the document and its quirks or standards mode', async () => {
    const page = await browser.newPage();
    const read = async (document: string) => {
      await page.goto(`data:text/html;charset=utf-8,${encodeURIComponent(document)}`);
      return page.evaluate('document.compatMode + document.documentElement.outerHTML');
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
      expect(await read(withFrameScript(start + body)), start).toBe(plain);
      modes.add(plain.slice(0, 10));
    }
    expect([...modes].sort()).toEqual(['BackCompat', 'CSS1Compat']);
    await page.close();
  });
});
