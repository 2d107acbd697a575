import { describe, expect, it } from 'vitest';
import { withFrameScript } from '../../../functions/web/snippet/frame-script.ts';

const script = /<script>"use strict";[^<]*"https:\/\/handbill\.test"[^<]*<\/script>/;
const marked = (document: string): string => withFrameScript(document, '/s/x').replace(script, '|');

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

  it.each([
    '<script>localStorage.a = 1</script>',
    '<form><input></form>',
    '<img src=x onerror = "a()">',
    '<SCRIPT src="https://a.example/a.js"></SCRIPT>',
  ])('has all it does only for documents that may need it: %s', (document) => {
    const length = withFrameScript(document, '/s/x').length - document.length;
    expect(length).toBeGreaterThan(withFrameScript('<p>x', '/s/x').length);
    expect(length).toBeLessThan(4_750);
  });

  it('is added to 16 MB of any content', () => {
    const megabytes = (text: string) => text.repeat(Math.ceil((16 * 1024 * 1024) / text.length));
    for (const document of [
      megabytes(' '),
      megabytes('<!--'),
      `<html ${megabytes('a="')}`,
      `<!doctype ${megabytes("'")}`,
      megabytes('<?'),
      megabytes('<!-- -->'),
      megabytes('s\n'),
      `s${megabytes('\n')}`,
      megabytes(' onload'),
      `on${megabytes('a')}`,
    ]) {
      expect(withFrameScript(document, '/s/x').length - document.length).toBeLessThan(2_650);
    }
  });
});
