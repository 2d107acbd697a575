// Where the base of sealed HTML stands, as a parser sees it: what comes before it would be asked of the host of its frame.
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { startComposer } from '../../support/pages/composer-page.ts';
import { openContext } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { bundleSealed } from '../../support/shares/sealed-script.ts';

const documents = [
  '<p title="mine">Hi</p>',
  '<!doctype html><p title="mine">A</p>',
  '<!-- a -->\n<!doctype html>\n<html lang="en">\n<head>\n<base href="/x/"><p title="mine">',
  '<html lang="a>b"><head data-a=\'>\'><img src="a.png"><p title="mine">',
  '<header><img src="a.png"></header><p title="mine">',
  // To a parser, this comment ends at once.
  '<!--><script src="a.js"></script>--><!doctype html><p title="mine">',
  '<!doctype html><!---><link href="a.css" rel="stylesheet">--><p title="mine">',
  '<?xml version="1.0"?>\n<!DOCTYPE html>\n<html lang="en"><p title="mine">',
  '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 3.2//EN"><p title="mine">',
  '\ufeff<!doctype html><body class="b"><p title="mine">',
  '',
];

/** What the parser makes of a document before and after: its mode, what it has, and what refers to something before the base. */
const compare = `(documents) => documents.map((html) => {
  const parse = (text) => new DOMParser().parseFromString(text, 'text/html');
  const [plain, alone] = [parse(html), parse(sealed.standAlone(html))];
  const first = alone.querySelector('base');
  const referring = [...alone.querySelectorAll('[src],[href]')];
  const describe = (one) => [
    one.compatMode, one.documentElement.lang, one.body.className, one.querySelectorAll('[title=mine]').length,
  ];
  return {
    isFirst: referring[0] === first && first.getAttribute('href') === 'https://relative.invalid/',
    isSame: String(describe(plain)) === String(describe(alone)),
  };
})`;

describe.skipIf(!hasBrowser)('HTML that stands alone', () => {
  it('has its base before all that refers to something, and is shown as it was', async () => {
    const url = await startComposer();
    const page = await (await openContext(browser)).newPage();
    await page.goto(`${url}/api/docs`);
    await page.evaluate(`${await bundleSealed()};globalThis.sealed = sealed`);
    const compared = await page.evaluate(`(${compare})(${JSON.stringify(documents)})`);
    expect(compared).toEqual(documents.map(() => ({ isFirst: true, isSame: true })));
  });
});
