import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  choose,
  codeMirror,
  isChosen,
  newContext,
  openEditor,
  startComposer,
  text,
  textIs,
} from '../../support/pages/composer-page.ts';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

describe.skipIf(!hasBrowser)('the editor of the composer', () => {
  const area = (page: Page) => page.locator('textarea');

  const open = () => openEditor(browser);

  /** Pastes a text. */
  const paste = (page: Page, pasted: string): Promise<unknown> =>
    page.evaluate(`{
      const data = new DataTransfer();
      data.setData('text/plain', ${JSON.stringify(pasted)});
      const target = document.querySelector('.editor').shadowRoot.querySelector('.cm-content');
      target.focus();
      target.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, composed: true, cancelable: true }));
    }`);

  /** Opens the composer and holds CodeMirror back until it is released. */
  const openHeld = async () => {
    const context = await newContext(browser);
    const released = Promise.withResolvers<void>();
    await context.route('**/code-editor.*', async (route) => {
      await released.promise;
      await route.continue();
    });
    return { ...(await openPage(context, await startComposer())), release: released.resolve };
  };

  it('stays a textarea on touch screens, when saving data, and if CodeMirror can’t be loaded', async () => {
    const url = await startComposer();
    const touch = await openContext(browser, { hasTouch: true, isMobile: true });
    const saving = await openContext(browser);
    await saving.addInitScript(
      'Object.defineProperty(navigator, "connection", { value: { saveData: true } })',
    );
    const failing = await openContext(browser);
    await failing.route('**/code-editor.*', (route) => route.abort());
    for (const context of [touch, saving, failing]) {
      const { page } = await openPage(context, url);
      const loads: string[] = [];
      page.on('response', (response) => loads.push(response.url()));
      await area(page).fill('# Plain');
      await page
        .getByRole('heading', { name: 'Plain', includeHidden: true })
        .waitFor({ state: 'attached' });
      await page.evaluate('new Promise((resolve) => requestIdleCallback(resolve))');
      await page.getByLabel('Title').focus();
      await page.evaluate('new Promise((resolve) => requestIdleCallback(resolve))');
      await expect.poll(() => area(page).inputValue()).toBe('# Plain');
      expect(loads.some((path) => path.includes('code-editor'))).toBe(false);
    }
  });

  it('is left by Tab, indents by Ctrl+] and formats by its toolbar', async () => {
    const { page } = await open();
    await text(page).click();
    await page.keyboard.type('word');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('preview');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Control+BracketRight');
    await textIs(page, '  word');
    await page.keyboard.press('Control+BracketLeft');
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: 'Bold' }).click();
    await textIs(page, '**word**');
    await page.keyboard.press('Control+z');
    await textIs(page, 'word');
    await page.getByRole('button', { name: 'Heading' }).click();
    await textIs(page, '## word');
    await page.locator('#preview h2', { hasText: 'word' }).waitFor();
  });

  it('offers to share a pasted page as HTML, and shows HTML within Markdown', async () => {
    const { page } = await open();
    const offer = page.getByRole('button', { name: 'Use HTML' });
    const whole = '<!doctype html>\n<h1>Pasted</h1>\n<p>As it is</p>';
    await paste(page, whole);
    await textIs(page, whole);
    await offer.click();
    await expect.poll(() => isChosen(page, 'HTML')).toBe(true);
    await page.frameLocator('#preview iframe').getByRole('heading', { name: 'Pasted' }).waitFor();
    await expect.poll(() => offer.isVisible()).toBe(false);
    await choose(page, 'Markdown');
    await text(page).fill('Some *Markdown* ');
    await paste(page, '<p>Part of it</p>');
    await textIs(page, 'Some *Markdown* <p>Part of it</p>');
    await expect.poll(() => offer.isVisible()).toBe(false);
  });

  it('scrolls with its preview, whose blocks differ in height', async () => {
    const { page } = await open();
    const sections = Array.from({ length: 60 }, (_, at) =>
      at % 2 === 0
        ? `## Section ${at}\n\n${'Many words in one line. '.repeat(40)}\n`
        : `## Section ${at}\n\n${'```\nline\n```\n'.repeat(3)}\n`,
    );
    await text(page).fill(sections.join('\n'));
    await page.getByRole('heading', { name: 'Section 59' }).waitFor({ state: 'attached' });
    /** Returns the number of the section at the top of a pane. */
    const atTop = (root: string): Promise<number> =>
      page.evaluate(`(() => {
        const pane = document.querySelector(${JSON.stringify(root)});
        const top = pane.getBoundingClientRect().top + 24;
        const lines = pane.querySelectorAll('h2').length > 0
          ? pane.querySelectorAll('h2')
          : [...document.querySelector('.editor').shadowRoot.querySelectorAll('.cm-line')].filter((line) => line.textContent.startsWith('##'));
        const next = [...lines].find((line) => line.getBoundingClientRect().bottom > top);
        return Number(next?.textContent.match(/\\d+/)?.[0]);
      })()`);
    const scroll = async (pane: string, by: number) => {
      await page.locator(pane).hover();
      await page.mouse.wheel(0, by);
    };
    await scroll('.src', -90_000);
    await expect.poll(() => atTop('.src')).toBe(0);
    await scroll('.src', 3_000);
    await expect.poll(() => atTop('.src')).toBeGreaterThan(5);
    await expect
      .poll(async () => Math.abs((await atTop('.src')) - (await atTop('.preview'))))
      .toBeLessThanOrEqual(1);
    const before = await atTop('.src');
    await scroll('.preview', 2_000);
    await expect.poll(() => atTop('.src')).toBeGreaterThan(before);
    await expect
      .poll(async () => Math.abs((await atTop('.src')) - (await atTop('.preview'))))
      .toBeLessThanOrEqual(1);
    await scroll('.preview', -90_000);
    await expect.poll(() => atTop('.src')).toBe(0);
  });

  it('does nothing with the whole text while the user types', async () => {
    const context = await newContext(browser);
    const large = 'Some words of a line.\n\n'.repeat(21_000);
    await context.addInitScript(`{
      globalThis.whole = [];
      const watch = (prototype, name) => {
        const original = prototype[name];
        prototype[name] = function (...given) {
          if (given.some((one) => typeof one === 'string' && one.length > 100_000)) whole.push(name);
          return original.apply(this, given);
        };
      };
      watch(TextEncoder.prototype, 'encode');
      watch(Storage.prototype, 'setItem');
      watch(Worker.prototype, 'postMessage');
      watch(JSON, 'stringify');
      if (location.port) localStorage.setItem('handbill-draft', JSON.stringify({ content: ${JSON.stringify(large)}, fields: {}, isAway: false }));
    }`);
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(await startComposer());
    await codeMirror(page);
    await text(page).click();
    await page.clock.pauseAt(new Date(Date.now() + 3_600_000));
    await page.evaluate('whole.length = 0');
    const size = page.locator('#size');
    await expect.poll(() => size.innerText()).toBe('471.7 KB of 512 KB');
    await page.keyboard.type('a'.repeat(1_000).slice(0, 60));
    await expect.poll(() => size.innerText()).toBe('471.8 KB of 512 KB');
    expect(await page.evaluate('whole')).toEqual([]);
    // A conversion that is still running comes first.
    const wholeAfterPause = async () => {
      await page.clock.runFor(250);
      return page.evaluate('[...new Set(whole)].sort()');
    };
    await expect.poll(wholeAfterPause).toEqual(['postMessage', 'setItem']);
  });

  it.each([
    [1_280, 800],
    [390, 844],
  ])('has the bar to share in view at %d × %d', async (width, height) => {
    const context = await openContext(browser, { viewport: { width, height } });
    const { page } = await openPage(context, await startComposer());
    await codeMirror(page);
    await text(page).fill('A line\n\n'.repeat(200));
    for (const name of ['#send', '#chip-who', '#chip-password']) {
      const isInView = `(() => {
        const button = document.querySelector('${name}');
        const { left, top, width, height } = button.getBoundingClientRect();
        return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      })()`;
      expect(await page.evaluate(isInView), name).toBe(true);
    }
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(height);
  });

  it('is a textarea until CodeMirror takes over, with its text, selection and history', async () => {
    const { page, complaints, release } = await openHeld();
    await area(page).pressSequentially('one');
    await page.keyboard.press('Enter');
    await area(page).pressSequentially('two three');
    await page.keyboard.press('Control+Shift+ArrowLeft');
    release();
    await page.waitForResponse(/code-editor/);
    await expect.poll(() => area(page).isVisible()).toBe(true);
    await page.getByLabel('Title').focus();
    await codeMirror(page);
    await expect.poll(() => area(page).count()).toBe(0);
    await textIs(page, 'one\ntwo three');
    await text(page).focus();
    await page.keyboard.type('3');
    await textIs(page, 'one\ntwo 3');
    await page.keyboard.press('Control+z');
    await textIs(page, 'one\ntwo three');
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Control+z');
    await textIs(page, '');
    await page.keyboard.press('Control+Shift+z');
    await page.keyboard.press('Control+Shift+z');
    await page.keyboard.press('Control+Shift+z');
    await textIs(page, 'one\ntwo three');
    // The policy allows its styles, because they are adopted by a shadow root.
    expect(complaints).toEqual([]);
    expect(
      await page.evaluate(
        "getComputedStyle(document.querySelector('.editor').shadowRoot.querySelector('.cm-scroller')).fontFamily",
      ),
    ).toContain('monospace');
  });
});
