// The rarer limits of a snippet. Forms, links and saved files are in `snippet-limits.test.ts`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveElsewhere } from '../../support/service/third-party-server.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';
import { saveFile, show } from '../flows/snippet.ts';

describe.skipIf(!hasBrowser)('a form in a snippet', () => {
  it('is left to the handlers of the snippet, and closes dialogs', async () => {
    const { frame, notice } = await show(`<output></output>
<form id="own" action="https://elsewhere.example/"><button>Own</button></form>
<dialog><form method="dialog"><button value="yes">Close</button></form></dialog>
<dialog><form><button formmethod="dialog" value="also">Close too</button></form></dialog>
<script>
const [first, second] = document.querySelectorAll('dialog');
first.showModal();
first.onclose = () => { document.querySelector('output').textContent += first.returnValue; second.showModal(); };
second.onclose = () => { document.querySelector('output').textContent += ' ' + second.returnValue; };
addEventListener('submit', (event) => {
  if (event.target.id !== 'own') return;
  event.preventDefault();
  document.querySelector('output').textContent += ' handled';
});
</script>`);
    await frame.getByRole('button', { name: 'Close' }).click();
    await frame.getByRole('button', { name: 'Close too' }).click();
    await frame.getByRole('button', { name: 'Own' }).click();
    await frame.getByText('yes also handled').waitFor();
    await expect.poll(() => notice.isVisible()).toBe(false);
  });
});

describe.skipIf(!hasBrowser)('the storage of a snippet', () => {
  it('is in memory, behaves like a storage, and is said to last for the view once it is used', async () => {
    const { page, frame, says, notice } =
      await show(`<output></output><button>Store</button><script>
const results = [];
const check = () => {
  localStorage.setItem('a', 1);
  localStorage.b = { toString: () => 'two' };
  localStorage['getItem'] = 'an item';
  results.push(localStorage.getItem('a'), localStorage.b, localStorage.none, localStorage.getItem('none'));
  results.push('b' in localStorage, 'c' in localStorage, localStorage.length, localStorage.key(1), localStorage.key(9));
  results.push(Object.keys(localStorage).join(), JSON.stringify(localStorage), localStorage.getItem('getItem'));
  results.push(delete localStorage.b, localStorage.removeItem('none'), localStorage.length);
  results.push(localStorage instanceof Storage, sessionStorage === localStorage, sessionStorage.length);
  try { localStorage.setItem('big', 'x'.repeat(5 * 1024 * 1024)) } catch ({ name }) { results.push(name) }
  localStorage.setItem('big', 'x'.repeat(5 * 1024 * 1024 - 100));
  localStorage.removeItem('big');
  localStorage.setItem('other', 'x'.repeat(5 * 1024 * 1024 - 100));
  localStorage.clear();
  results.push(localStorage.length, localStorage.getItem('a'));
  document.querySelector('output').textContent = JSON.stringify(results);
};
localStorage.getItem('theme');
document.querySelector('button').onclick = check;
</script>`);
    await frame.getByRole('button').waitFor();
    await expect.poll(() => notice.isVisible()).toBe(false);
    await frame.getByRole('button').click();
    await says('What it stores lasts for this view');
    expect(JSON.parse(await frame.locator('output').innerText())).toEqual([
      '1',
      'two',
      ...[null, null],
      ...[true, false, 3, 'b', null],
      ...['a,b,getItem', '{"a":"1","b":"two"}', 'an item'],
      ...[true, null, 2],
      ...[true, false, 0],
      'QuotaExceededError',
      ...[0, null],
    ]);
    await page.reload();
    await expect.poll(() => notice.isVisible()).toBe(false);
  });

  it('has no cookies and no databases, which is said', async () => {
    for (const use of ['document.cookie = "a=b"', 'indexedDB.open("a")']) {
      const { frame, says } = await show(
        `<output></output><script>try { ${use} } catch ({ name }) { document.querySelector('output').textContent = name }</script>`,
      );
      await says('Snippets have no cookies and no IndexedDB');
      await expect.poll(() => frame.locator('output').innerText()).toMatch(/^(SecurityError)?$/);
    }
  });
});

describe.skipIf(!hasBrowser)('a link in a snippet', () => {
  it('leads to the part that the address of the page names, also later', async () => {
    const { share } = await serveShares();
    const elsewhere = await serveElsewhere();
    const url = await share({
      content: `<base href="${elsewhere.url}/"><style>:target { color: rgb(255, 0, 0) }</style>
<p style="margin-bottom: 3000px">Top</p><p id="part">Part</p><p style="margin-block: 3000px" id="caf%C3%A9">Other</p>`,
    });
    const context = await openContext(browser);
    const { page } = await openPage(context, `${url}#part`);
    const frame = page.frameLocator('iframe');
    const color = () =>
      frame.locator('body').evaluate('getComputedStyle(document.querySelector("#part")).color');
    const scrolled = () => frame.locator('body').evaluate('scrollY');
    await expect.poll(color).toBe('rgb(255, 0, 0)');
    await expect.poll(scrolled).toBeGreaterThan(2_000);
    await page.evaluate('location.hash = "caf%25C3%25A9"');
    await expect.poll(scrolled).toBeGreaterThan(5_000);
    // A part of the page itself is no part of the snippet.
    await page.evaluate('location.hash = "Main"');
    await page.goBack();
    await page.goBack();
    expect(page.url()).toBe(`${url}#part`);
    await expect.poll(color).toBe('rgb(255, 0, 0)');
    expect(elsewhere.asked).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)('a file of a snippet', () => {
  it('is offered by a page whose script comes later than the snippet', async () => {
    const { page } = await show(
      `<script>${saveFile} save('early.html'); fetch('data:,').then(() => setTimeout(() => console.log('offered')))</script>`,
      (page) => page.waitForEvent('console'),
    );
    await page.getByText('The snippet offers a file: early.html').waitFor();
  });

  it('is offered also if its address is taken back before it is read', async () => {
    const { page } = await show(`<script>
const read = self.fetch;
self.fetch = async (at) => { await 0; return read(at); };
${saveFile} save('early.html');</script>`);
    await page.getByText('The snippet offers a file: early.html').waitFor();
  });

  it('is saved from the preview after a click', async () => {
    const { service } = await serveShares();
    const { page } = await openPage(await openContext(browser), service);
    await page.getByText('HTML', { exact: true }).click();
    await page
      .getByLabel('Content', { exact: true })
      .fill(`<button onclick="save('a.csv')">Export</button><script>${saveFile}</script>`);
    const preview = page.frameLocator('#preview iframe:not(.next)');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      preview.getByRole('button').click(),
    ]);
    expect(saved.suggestedFilename()).toBe('a.csv');
  });

  it('is not saved by a snippet that goes there', async () => {
    const { page } = await show(
      `<script>location = URL.createObjectURL(new Blob(['x'], { type: 'application/octet-stream' }))</script>`,
    );
    const saved: string[] = [];
    page.on('download', (download) => saved.push(download.suggestedFilename()));
    await page.getByRole('alert').waitFor();
    expect(saved).toEqual([]);
  });
});
