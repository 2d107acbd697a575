// What the page of a sealed share shows once it is open: as pages of other shares do, and nothing of it to anyone else.
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect } from '../../support/pages/open-page.ts';
import {
  openActions,
  openButton,
  press,
  sizes,
  startSealed,
  tabTo,
} from '../../support/pages/sealed-page.ts';

const markdown = [
  '# Plan',
  'See [the site](https://example.com) and [below](#access).[^1]',
  '## Access\n\n- [x] Keys\n\n| Door | Code |\n|---|---|\n| Safe | 4711 |',
  '## Steps\n\n> [!NOTE]\n> Knock first.',
  '```ts title="door.ts"\nconst open = true;\nconst shut = false;\n```',
  '[^1]: Twice.',
].join('\n\n');

/** Tells in its own text what a script of a snippet reaches. */
const curious = `<!doctype html><title>Plan</title><p id="found"></p><script>
const reach = (name, get) => { try { return name + ': ' + get(); } catch { return name + ' blocked'; } };
found.textContent = [
  reach('page', () => parent.document.title), reach('storage', () => sessionStorage.length),
  reach('kept', () => parent.sessionStorage.length), reach('hash', () => location.hash),
  reach('link', () => parent.location.href), reach('referrer', () => document.referrer),
].join(', ');
</script>`;

describe.skipIf(!hasBrowser)('the content of a sealed share', () => {
  it('is Markdown as the page of another share has it', async () => {
    const { share, seal, open } = await startSealed();
    const plain = await open(await share({ content: markdown, language: 'markdown' }));
    const sealed = await open((await seal({ text: markdown })).link);
    await press(sealed.page);
    const read = (page: typeof sealed.page, selector: string) =>
      page.evaluate(`document.querySelector('${selector}').outerHTML`);
    // Links open new tabs where coming back would ask again, and files have no address of their own.
    const toComparable = (markup: unknown) =>
      String(markup)
        .replaceAll(' target="_blank" rel="noopener"', '')
        .replace(/<a class="btn ghost sm end" href="[^"]*">Raw<\/a>/, '')
        .replace(
          '<button type="button" class="btn ghost sm end"',
          '<button type="button" class="btn ghost sm"',
        );
    await plain.page.locator('[data-copies-code]').first().waitFor();
    for (const selector of ['.prose', '.title', '.toc']) {
      const [one, other] = [await read(sealed.page, selector), await read(plain.page, selector)];
      expect(toComparable(one), selector).toBe(toComparable(other));
    }
    expect(await sealed.page.title()).toBe('Sealed snippet');
    expect(sealed.complaints).toEqual([]);
  });

  it('has lines and parts that are led to, and what copies and saves its source', async () => {
    const { seal, open } = await startSealed();
    const { url, link } = await seal({ text: markdown, options: { viewLimit: 5 } });
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page } = await open(link, { permissions, viewport: sizes[1] });
    await press(page);
    await page.locator('.prose b').nth(1).click();
    expect(new URL(page.url()).hash).toMatch(/^#(file\d+-)?L2$/);
    expect(await page.locator('b.marked').count()).toBe(1);
    await page.getByRole('link', { name: 'below' }).press('Enter');
    expect(page.url()).toBe(`${url}#access`);
    await page.reload();
    await page.getByText('Knock first.').waitFor();
    await page.getByRole('button', { name: 'Copy', exact: true }).press('Enter');
    await page.getByText('Code copied').waitFor();
    const clipboard = () => page.evaluate('navigator.clipboard.readText()');
    expect(await clipboard()).toBe('const open = true;\nconst shut = false;\n');
    await openActions(page);
    await inspect(page, 'sealed-menu');
    await page.getByRole('button', { name: 'Copy source' }).press('Enter');
    await page.getByText('Source copied').waitFor();
    expect(await clipboard()).toBe(markdown);
    await openActions(page);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download source' }).press('Enter'),
    ]);
    expect(saved.suggestedFilename()).toBe('Sealed snippet.md');
  });

  for (const viewport of sizes) {
    it(`is HTML in a frame that reaches nothing of the page, at ${viewport.width}`, async () => {
      const { seal, open } = await startSealed();
      const options = { title: 'Office', description: 'For the new ones' };
      const { link, fragment } = await seal({ text: curious, language: 'html', options });
      const { page, complaints, listSent } = await open(link, { viewport });
      await tabTo(page, 'Open snippet');
      await page.keyboard.press('Enter');
      const found = page.frameLocator('iframe').locator('#found');
      await found.filter({ hasText: 'page blocked' }).waitFor();
      expect(await found.textContent()).toBe(
        'page blocked, storage: 0, kept blocked, hash: , link blocked, referrer: ',
      );
      await page.getByRole('heading', { name: 'Office', level: 1 }).waitFor();
      expect(await page.evaluate('document.activeElement.id')).toBe('Main');
      await inspect(page, `sealed-html-${viewport.width}`);
      expect(
        page
          .frames()
          .map((frame) => frame.url())
          .join(),
      ).not.toContain('k1.');
      expect((await listSent()).join('\n')).not.toContain(fragment.slice(3));
      expect(complaints).toEqual([]);
    });
  }

  it('gets no part of a link that is pasted into its tab', async () => {
    const { seal, open, viewsOf } = await startSealed();
    const told = `${curious}<script>addEventListener('hashchange', () => { location.href = '/left'; });</script>`;
    const { url, link } = await seal({ text: told, language: 'html', options: { viewLimit: 2 } });
    const other = await seal();
    const { page } = await open(link);
    await press(page);
    await page.frameLocator('iframe').getByText('page blocked').waitFor();
    const addresses: string[] = [];
    page.on('framenavigated', (frame) => {
      if (frame !== page.mainFrame()) addresses.push(frame.url());
    });
    await page.evaluate(`location.hash = ${JSON.stringify(other.fragment)}`);
    await openButton(page).waitFor();
    expect(addresses.join()).not.toContain('k1.');
    await openButton(page).press('Enter');
    await page.getByText('No view was used.').waitFor();
    expect(await viewsOf(url)).toBe(1);
  });

  it('tells the host of its frame nothing of what it names', async () => {
    const { seal, open } = await startSealed();
    const naming = `<!doctype html><link rel="stylesheet" href="/plan-a.css"><img src="plan-b.png"><img src="//cdn.example/logo.png">
<style>p { background: url(plan-c.png) }</style><p>Plan</p><a href="#end">To the end</a><a href="plan-d.html">Other</a>
<script src="plan-e.js"></script><script>
fetch('plan-f.json').catch(() => {});
</script><h2 id="end">End</h2>`;
    const { link } = await seal({ text: naming, language: 'html' });
    const { page, complaints, listSent } = await open(link);
    await press(page);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('link', { name: 'To the end' }).click();
    expect(await frame.locator('#end:target').count()).toBe(1);
    await frame.getByRole('link', { name: 'Other' }).click();
    expect(page.context().pages()).toHaveLength(1);
    const isOfHost = (text: string) =>
      text.includes('plan-') && !text.includes('//relative.invalid/');
    // Without HTTPS, the policy of the frame also stops what would reach its host.
    expect(complaints.filter(isOfHost)).toEqual([]);
    const sent = await listSent();
    expect(sent.filter(isOfHost)).toEqual([]);
    expect(sent.filter((one) => one.includes('https://cdn.example/logo.png'))).toHaveLength(1);
  });

  it('is at the part that its address names after a reload', async () => {
    const { seal, open } = await startSealed();
    const { link } = await seal({
      text: `# Plan\n\n[Down](#end)${'\n\nText'.repeat(200)}\n\n## End`,
    });
    const { page } = await open(link);
    await press(page);
    await page.getByRole('link', { name: 'Down' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'End' }).waitFor();
    expect(await page.evaluate('scrollY')).toBeGreaterThan(1_000);
  });

  it('is shown again after it left its frame', async () => {
    const { seal, open } = await startSealed();
    const leaving =
      '<h1>Plan</h1><button onclick="location.href = \'https://other.example/\'">Leave</button>';
    const { link } = await seal({ text: leaving, language: 'html' });
    const { page } = await open(link);
    await press(page);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Leave' }).click();
    await page.getByText('The snippet tried to open another page').waitFor();
    await page.getByRole('button', { name: 'Reload' }).press('Enter');
    await frame.getByRole('heading', { name: 'Plan' }).waitFor();
  });

  it('is ended by a reader whose owner allows that', async () => {
    const { seal, open } = await startSealed();
    const { url, link } = await seal({ options: { readersCanEnd: true, viewLimit: 3 } });
    const { page } = await open(link, { viewport: sizes[1] });
    await press(page);
    await openActions(page);
    await page.getByRole('link', { name: 'End snippet' }).press('Enter');
    await page.getByRole('button', { name: 'End snippet' }).press('Enter');
    await page.getByRole('heading', { name: 'This share has ended' }).waitFor();
    expect(page.url()).toBe(url);
  });

  it('isn’t ended by a reader who had its last view', async () => {
    const { seal, open } = await startSealed();
    const { link } = await seal({ options: { readersCanEnd: true, viewLimit: 1 } });
    const { page } = await open(link);
    await press(page);
    await openActions(page);
    await page.getByRole('link', { name: 'Report' }).first().waitFor();
    expect(await page.getByRole('link', { name: 'End snippet' }).count()).toBe(0);
  });

  it('is a list of files where there is no text, each with the bytes that were sealed', async () => {
    const { seal, open } = await startSealed();
    const long = `${'x'.repeat(300)}.txt`;
    const files = {
      'plans/door.txt': 'Left, then right',
      '../../x\u202efdp.html': '<b>4711</b>',
      ' ': 'No name',
      [long]: 'A long one',
    };
    const { link } = await seal({ text: '', files, options: { viewLimit: 1 } });
    const { page, complaints, listSent } = await open(link, { viewport: sizes[1] });
    await press(page);
    await inspect(page, 'sealed-files');
    const names = await page.locator('.sealed-list .name').allTextContents();
    expect(names).toEqual(['plans/door.txt', '../../x\ufffdfdp.html', 'Unnamed file', long]);
    const saved: unknown[] = [];
    for (const name of names) {
      await tabTo(page, `Download ${name}`);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.keyboard.press('Enter'),
      ]);
      const chunks = await (await download.createReadStream()).toArray();
      saved.push([download.suggestedFilename(), Buffer.concat(chunks).toString()]);
    }
    expect(saved).toEqual([
      ['door.txt', 'Left, then right'],
      ['x fdp.html', '<b>4711</b>'],
      ['snippet', 'No name'],
      [`${'x'.repeat(60)}.txt`, 'A long one'],
    ]);
    expect((await listSent()).join('\n')).not.toMatch(/plans|fdp|door/);
    expect(complaints).toEqual([]);
  });
});
