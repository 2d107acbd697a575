import { describe, expect, it } from 'vitest';
import { standAlone } from '../../../functions/web/browser/sealed/alone.ts';

describe('HTML that stands alone', () => {
  it.each([
    ['<p>Hi</p>', '', '<p>Hi</p>'],
    ['<!doctype html><title>A</title>', '<!doctype html>', '<title>A</title>'],
    [
      '<!-- a -->\n<!doctype html>\n<html lang="en">\n<head>\n<base href="/x/">',
      '<!-- a -->\n<!doctype html>\n<html lang="en">\n<head>',
      '\n<base href="/x/">',
    ],
    [
      '<html title="a>b"><head data-a=\'>\'><img src="a.png">',
      '<html title="a>b"><head data-a=\'>\'>',
      '<img src="a.png">',
    ],
    ['<header><img src="a.png"></header>', '', '<header><img src="a.png"></header>'],
  ])('has its base before all that refers to something: %s', (html, start, rest) => {
    const alone = standAlone(html);
    expect(alone.startsWith(`${start}<base href="about:invalid">`)).toBe(true);
    expect(alone.endsWith(rest)).toBe(true);
  });
});
