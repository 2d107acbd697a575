// What a snippet can't do is said to its reader, and nothing is lost by trying it.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { expectOnePage, saveFile, show } from '../flows/snippet.ts';

describe.skipIf(!hasBrowser)('a form in a snippet', () => {
  const ways = {
    'a button': '',
    'a button with an action': 'formaction="https://elsewhere.example/" formmethod="post"',
    'a button for a new tab': 'formtarget="_blank"',
    requestSubmit: 'type="button" onclick="form.requestSubmit()"',
    submit: 'type="button" onclick="form.submit()"',
  };

  it('is stopped by whatever way, keeps what was typed, and says so', async () => {
    const forms = Object.entries(ways).map(
      ([name, attributes]) =>
        `<form action="https://elsewhere.example/"><input><button ${attributes}>${name}</button></form>`,
    );
    const { page, frame, says, notice, url } = await show(
      `${forms.join('')}<a href="next">Next</a>`,
    );
    const inputs = await frame.locator('input').all();
    for (const input of inputs) await input.fill('typed');
    await expect.poll(() => notice.isVisible()).toBe(false);
    for (const name of Object.keys(ways)) {
      await frame.getByRole('button', { name, exact: true }).click();
      await says('Snippets can’t send forms');
    }
    expect(await Promise.all(inputs.map((input) => input.inputValue()))).toEqual(
      inputs.map(() => 'typed'),
    );
    // The newest comes first.
    await frame.getByText('Next').click();
    await expect
      .poll(() => notice.innerText())
      .toMatch(/^“next” leads nowhere.* · Snippets can’t send/);
    await frame.getByRole('button', { name: 'submit', exact: true }).click();
    await expect
      .poll(() => notice.innerText())
      .toMatch(/^Snippets can’t send forms · “next” leads/);
    await expectOnePage(page, url);
  });
});

describe.skipIf(!hasBrowser)('a link in a snippet', () => {
  it('that leads nowhere says so, unless the snippet handles it', async () => {
    const addresses = ['page2.html', '/x', '', '?page=2', '//', 'file:///C:/a.html'];
    const { page, frame, says, url } = await show(
      `<base target="_top">${addresses.map((at) => `<p><a href="${at}">to ${at}</a></p>`).join('')}
<p><a href="route" onclick="this.textContent = 'handled'; return false">route</a></p>`,
    );
    for (const address of addresses.filter((one) => one !== '//')) {
      await frame.getByText(`to ${address}`, { exact: true }).click();
      await says(`“${address}” leads nowhere`);
    }
    await frame.getByText('route').click();
    await frame.getByText('handled').waitFor();
    await expectOnePage(page, url);
  });
});

describe.skipIf(!hasBrowser)('a file of a snippet', () => {
  it('is saved after a click, one at a time, and offered else', async () => {
    const { page, frame } =
      await show(`<button onclick="save('a.html'); save('b.html'); save('c.html')">All</button>
<a download="c.txt" href="data:text/plain,c">Link</a><script>${saveFile}</script>`);
    const [first] = await Promise.all([
      page.waitForEvent('download'),
      frame.getByRole('button').click(),
    ]);
    expect(first.suggestedFilename()).toBe('a.html');
    await page.getByText('The snippet offers a file: b.html').waitFor();
    const [second] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save file' }).click(),
    ]);
    expect(second.suggestedFilename()).toBe('b.html');
    await expect.poll(() => page.locator('.offer').isVisible()).toBe(false);
  });

  it('is never saved without a click', async () => {
    const { page, frame } = await show(`<a download="link.txt" href="data:text/plain,c">Link</a>
<script>${saveFile} save('a.html'); save('b.html', true); document.querySelector('a').click();
const again = document.body.appendChild(document.createElement('iframe'));
again.srcdoc = '<a download="nested.txt" href="data:text/plain,c"></a><script>document.querySelector("a").click()</' + 'script>';
</script>`);
    const saved: string[] = [];
    page.on('download', (download) => saved.push(download.suggestedFilename()));
    await page.getByText('The snippet offers a file').waitFor();
    // Of the reader's click, the browser tells the page.
    await Promise.all([
      page.waitForEvent('download'),
      frame.getByRole('link', { name: 'Link' }).click(),
    ]);
    expect(saved).toEqual(['link.txt']);
  });
});
