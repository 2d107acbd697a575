// Whole ways of a sealed share through the composer, by the keyboard.
import { describe, expect, it } from 'vitest';
import { createFragment } from '../../../functions/web/browser/sealed/key.ts';
import { joinLink } from '../../../functions/web/browser/sealed/link.ts';
import { hasBrowser } from '../../support/pages/browser.ts';
import { link, save, saved, text, textIs } from '../../support/pages/composer-page.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';
import {
  goOn,
  openRecorded,
  seal,
  sealedSwitch,
  shareSealed,
  sizes,
  unsealForm,
} from '../../support/sealed/composing.ts';
import { openByLink } from '../../support/sealed/opening.ts';
import { secretText } from '../../support/shares/sealed.ts';

const content = `# Codes of Falke\n\n${secretText}\n`;
const passphrase = 'Blue heron, 7 o’clock';

describe.skipIf(!hasBrowser).each(sizes)('a sealed share at $width', (viewport) => {
  it('is written, shared with its key, opened by its link and edited, and none of it leaves the browser', async () => {
    const { page, url, token, sent, complaints } = await openRecorded(browser, { viewport });
    await text(page).fill(content);
    const title = page.getByLabel('Title');
    await expect.poll(() => title.getAttribute('placeholder')).toBe('Codes of Falke');
    await seal(page, passphrase);
    // Nothing of the content becomes a title.
    await expect.poll(() => title.getAttribute('placeholder')).toBe('Add a title');
    await page.getByText('Title and description aren’t sealed').waitFor();
    expect(await page.locator('#chip-password').innerText()).toBe('Sealed');
    await page.locator('#chip-password').press('Enter');
    await inspect(page, `sealed-options-${viewport.width}`);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Keep this link: only it has the key.').waitFor();
    await inspect(page, `sealed-result-${viewport.width}`);

    // The focus is on what copies the link.
    await page.keyboard.press('Enter');
    await page.getByText('Copied', { exact: true }).waitFor();
    const whole = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(whole).toBe(await link(page).inputValue());
    expect(whole).toMatch(/\/s\/[\w-]{22}#p1\.[\w-]{43}$/);
    await expect
      .poll(() => page.locator('#result').getByLabel('Passphrase', { exact: true }).inputValue())
      .toBe(passphrase);
    const { content: opened, share } = await openByLink(whole, passphrase);
    expect(opened).toEqual({ language: 'markdown', text: content, files: [] });
    expect(share).toMatchObject({ title: null, sealed: true, passphrase: true, protected: false });

    await goOn(page);
    await unsealForm(page).getByLabel('Passphrase').waitFor();
    await inspect(page, `sealed-asks-${viewport.width}`);
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The passphrase or the link doesn’t open the share.').waitFor();
    await unsealForm(page).getByLabel('Passphrase').fill(passphrase);
    await page.keyboard.press('Enter');
    await page.getByText('You’re editing a share. Its link stays the same.').waitFor();
    await textIs(page, content);
    // The focus is in the text.
    await page.keyboard.press('Control+End');
    await page.keyboard.type('And 1234.');
    await page.keyboard.press('Control+Enter');
    await saved(page);
    expect(await link(page).inputValue()).toBe(whole);
    expect((await openByLink(whole, passphrase)).content.text).toBe(`${content}And 1234.`);
    const own = await send(`${url}/api/share?mine=true`, { token });
    expect(own.body.items).toHaveLength(1);

    const fragment = whole.slice(whole.indexOf('#') + 1);
    const secrets = [fragment.slice(3), secretText, 'Falke', passphrase, 'And 1234'];
    for (const secret of secrets) {
      expect(sent.filter((request) => request.includes(secret))).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });

  it('gets another link as a copy, and stays sealed when it is edited', async () => {
    const { page, url } = await openRecorded(browser, { viewport });
    const first = await shareSealed(page, content);
    await goOn(page);
    // This tab has the key.
    await textIs(page, content);
    await page.locator('#chip-password').press('Enter');
    const sealed = sealedSwitch(page);
    expect([await sealed.isChecked(), await sealed.isDisabled()]).toEqual([true, true]);
    await page.getByText('A sealed share stays sealed, with the same link.').waitFor();
    await page.keyboard.press('Escape');
    // A sheet of a phone is a step of the history, which goes back.
    await expect.poll(() => page.evaluate('history.state?.sheet')).toBeUndefined();

    const id = new URL(first).pathname.split('/').at(-1);
    await page.goto(`${url}/?duplicate=${id}`);
    await page.getByText('It gets a link and a key of its own.').waitFor();
    await textIs(page, content);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'Your page is ready' }).waitFor();
    const second = await link(page).inputValue();
    expect(new URL(second).hash).not.toBe(new URL(first).hash);
    expect((await openByLink(second)).content.text).toBe(content);
  });

  it('asks for its link where the tab has no key, and takes one from the address at once', async () => {
    const { page, context, url } = await openRecorded(browser, { viewport });
    const whole = await shareSealed(page, content);
    const { pathname, hash } = new URL(whole);
    const id = pathname.split('/').at(-1);

    const other = await context.newPage();
    await other.goto(`${url}/?edit=${id}`);
    const field = unsealForm(other).getByLabel('Whole link');
    await field.waitFor();
    await inspect(other, `sealed-asks-link-${viewport.width}`);
    expect(await other.locator('body').innerText()).not.toContain('SEJTAQ');
    for (const [pasted, why] of [
      [url + pathname, 'This link has no key.'],
      [`${whole.slice(0, -1)}${whole.endsWith('A') ? 'E' : 'A'}`, 'doesn’t open the share'],
    ] as const) {
      await field.fill(pasted);
      await other.keyboard.press('Enter');
      await unsealForm(other).getByRole('alert').filter({ hasText: why }).waitFor();
    }
    await field.fill(whole);
    await other.keyboard.press('Enter');
    await textIs(other, content);

    const third = await context.newPage();
    await third.goto(`${url}/?edit=${id}${hash}`);
    await textIs(third, content);
    expect(third.url()).toBe(`${url}/?edit=${id}`);
    await third.reload();
    await textIs(third, content);
    // A wrong key in the address doesn’t take the right one away, which the tab may have alone.
    await third.goto(`${url}/shares`);
    const { hash: wrong } = new URL(joinLink(url, createFragment({ hasPassphrase: false })));
    for (const key of [wrong, hash]) {
      await third.goto(`${url}/?edit=${id}${key}`);
      await textIs(third, content);
      await third.goto(`${url}/shares`);
    }
    await third.goto(`${url}/?edit=${id}`);
    await textIs(third, content);
    await save(third).waitFor();
  });
});
