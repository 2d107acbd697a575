// How the page of a sealed share opens it: by its key, as one view, and without a word of it to the service.
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect } from '../../support/pages/open-page.ts';
import {
  alert,
  openButton,
  press,
  sizes,
  startSealed,
  tabTo,
} from '../../support/pages/sealed-page.ts';
import { register } from '../flows/sign-in.ts';

const text = '# Plan\n\nThe safe opens with 4711-Falke.';
const secret = '4711-Falke';

describe.skipIf(!hasBrowser)('the page of a sealed share', () => {
  for (const viewport of sizes) {
    it(`opens it by its key as one view, at ${viewport.width}`, async () => {
      const { seal, open, viewsOf } = await startSealed();
      const { url, link, fragment } = await seal({
        text,
        options: { viewLimit: 2, title: 'Office' },
      });
      const { page, complaints, listSent } = await open(link, { viewport });
      await inspect(page, `sealed-key-${viewport.width}`);
      expect(await viewsOf(url)).toBe(0);
      await tabTo(page, 'Open snippet');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Plan' }).waitFor();
      await page.getByText(secret).waitFor();
      await page.getByText('Snippet opened.').waitFor({ state: 'attached' });
      expect(await page.evaluate('document.activeElement.id')).toBe('Main');
      expect([page.url(), await page.title()]).toEqual([url, 'Office']);
      await page.getByText('1 view left').waitFor();
      await page.getByText('Ann Example').waitFor();
      await inspect(page, `sealed-opened-${viewport.width}`);

      // The address has no key, and this tab shows it again.
      await page.reload();
      await page.getByText(secret).waitFor();
      expect([page.url(), await viewsOf(url)]).toEqual([url, 1]);
      expect(await page.evaluate('navigation.entries().map(({ url }) => url)')).not.toContain(link);

      const sent = (await listSent()).join('\n');
      expect(sent).toContain('x-share-proof');
      for (const kept of [fragment.slice(3), secret, 'k1.']) expect(sent).not.toContain(kept);
      expect(complaints).toEqual([]);
    });
  }

  it('is found complete by who presses Copy link, and has no key in another tab', async () => {
    const { seal, open } = await startSealed();
    const { url, link } = await seal({ text });
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, context } = await open(link, { permissions });
    await press(page);
    await page.getByRole('button', { name: 'Copy link' }).press('Enter');
    await page.getByText('Link copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link);
    const other = await context.newPage();
    await other.goto(url);
    await other.getByRole('heading', { name: 'This link is incomplete' }).waitFor();
  });

  it('says of a link without its key that it is incomplete, and asks the service nothing', async () => {
    const { seal, open, viewsOf } = await startSealed();
    const { url, link, fragment } = await seal({ text, options: { viewLimit: 1 } });
    for (const address of [url, link.slice(0, -1), `${url}#k9.${fragment.slice(3)}`, `${url}#x`]) {
      const { page, listSent } = await open(address);
      await page.getByRole('heading', { name: 'This link is incomplete' }).waitFor();
      const isBroken = !['#x', ''].includes(new URL(address).hash);
      expect(await alert(page).count()).toBe(isBroken ? 1 : 0);
      expect((await listSent()).filter((sent) => sent.includes('/api/'))).toEqual([]);
    }
    expect(await viewsOf(url)).toBe(0);
  });

  it('takes a whole link that is pasted, and none of another service', async () => {
    const { seal, open, viewsOf } = await startSealed();
    const { url, link, fragment } = await seal({ text, options: { viewLimit: 1 } });
    const { page, listSent } = await open(url, { viewport: sizes[1] });
    await tabTo(page, 'Whole link');
    await inspect(page, 'sealed-no-key');
    for (const [pasted, message] of [
      [url, 'This has no whole key.'],
      [`https://other.example/s/x#${fragment}`, 'This is a link to other.example.'],
      [`Here: other.example/s/x#${fragment}`, 'This is a link to other.example.'],
    ] as const) {
      await page.keyboard.type(pasted);
      await page.keyboard.press('Enter');
      await alert(page)
        .getByText(message)
        .or(alert(page).filter({ hasText: message }))
        .waitFor();
      expect(await page.evaluate('document.activeElement.id')).toBe('link');
    }
    expect((await listSent()).filter((sent) => sent.includes('/api/'))).toEqual([]);
    await page.keyboard.insertText(`Look: ${link} `);
    await page.keyboard.press('Enter');
    // The button has the focus.
    await openButton(page).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(secret).waitFor();
    expect(await viewsOf(url)).toBe(1);
  });

  it('uses no view for another key, and forgets it', async () => {
    const { seal, open, viewsOf } = await startSealed();
    const { url, link } = await seal({ text, options: { viewLimit: 1 } });
    const other = await seal({ text });
    const { page } = await open(`${url}#${other.fragment}`);
    await tabTo(page, 'Open snippet');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'This key doesn’t open it' }).waitFor();
    await page.getByText('No view was used.').waitFor();
    expect(await page.getByText('its key is missing').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.id')).toBe('link');
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('k1.');
    // A link that is pasted into the address bar of this tab.
    await page.goto(link);
    await press(page);
    await page.getByText(secret).waitFor();
    expect(await viewsOf(url)).toBe(1);
  });

  it('keeps the key that has opened it whatever other one the address has then', async () => {
    const { seal, open } = await startSealed();
    const { url, link } = await seal({ text });
    const other = await seal({ text });
    const { page } = await open(link);
    await press(page);
    await page.evaluate(`location.hash = ${JSON.stringify(other.fragment)}`);
    await openButton(page).press('Enter');
    await page.getByRole('heading', { name: 'This key doesn’t open it' }).waitFor();
    await page.goto('about:blank');
    await page.goto(url);
    await page.getByText(secret).waitFor();
  });

  it('asks for the passphrase where the key asks for one, and keeps it nowhere', async () => {
    const { seal, open, viewsOf } = await startSealed();
    const passphrase = 'Tulpe & Zwiebel';
    const { url, link, proof } = await seal({ text, passphrase, options: { viewLimit: 1 } });
    const { page, listSent } = await open(link, { viewport: sizes[1] });
    await page.getByRole('heading', { name: 'Enter the passphrase' }).waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('passphrase');
    await inspect(page, 'sealed-passphrase');
    await page.keyboard.press('Enter');
    await alert(page).filter({ hasText: 'Enter the passphrase.' }).waitFor();
    await page.keyboard.type('tulpe');
    await page.keyboard.press('Enter');
    await alert(page).filter({ hasText: 'Incorrect passphrase.' }).waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('passphrase');
    await page.keyboard.type(passphrase);
    await page.keyboard.press('Enter');
    await page.getByText(secret).waitFor();
    // The last view is shown again, to who knows the passphrase.
    await page.reload();
    await page.getByLabel('Passphrase').fill(passphrase);
    expect(page.url()).toBe(url);
    await press(page);
    await page.getByText(secret).waitFor();
    expect(await viewsOf(url)).toBe(1);
    const kept = String(
      await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })'),
    );
    const sent = (await listSent()).join('\n');
    expect(sent).toContain(proof);
    for (const place of [kept, sent]) {
      expect(place).not.toContain(passphrase);
      expect(place).not.toContain(encodeURIComponent(passphrase));
    }
  });

  it('is its owner’s without a view, with the key on the way to the editor', async () => {
    const { service, person, seal, open, viewsOf } = await startSealed();
    const { id, url, link, fragment } = await seal({ text, options: { viewLimit: 1 } });
    const { page, context } = await open(`${service}/licenses`);
    await context.request.post(`${service}/api/auth/login`, {
      data: { email: person.email, password: person.password },
      headers: { origin: service },
    });
    await page.goto(url);
    await page.getByText('This service doesn’t have it and can’t recover it.').waitFor();
    await page.goto(link);
    await press(page);
    await page.getByText('This is yours').waitFor();
    await page.getByText('Your visits aren’t counted · 0 views').waitFor();
    const edit = page.getByRole('link', { name: 'Edit' });
    expect(await edit.getAttribute('href')).toBe(`/?edit=${id}#${fragment}`);
    await page.reload();
    await page.getByText(secret).waitFor();
    await inspect(page, 'sealed-own');
    expect(await viewsOf(url)).toBe(0);
    await page.getByRole('button', { name: 'Stop' }).press('Enter');
    await page.getByText('Stopped. The link no longer works.').waitFor();
  });

  it('keeps the key while its reader signs in', async () => {
    const { service, seal, open, viewsOf } = await startSealed();
    await register(service, 'ben@example.com');
    const options = { readers: ['ben@example.com'], viewLimit: 1 };
    const { url, link } = await seal({ text, options });
    const { page } = await open(link);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Email').fill('ben@example.com');
    await page.getByLabel('Password', { exact: true }).fill('correct horse');
    await page.keyboard.press('Enter');
    await page.getByText('This tab has the key.').waitFor();
    expect([page.url(), await viewsOf(url)]).toEqual([url, 0]);
    await press(page);
    await page.getByText(secret).waitFor();
  });

  it('is its owner’s also where a link of another site leads to it', async () => {
    const { service, person, seal, open, viewsOf } = await startSealed();
    const { url, link } = await seal({ text, options: { audience: 'private', viewLimit: 1 } });
    const { page, context } = await open(`${service}/licenses`);
    await context.request.post(`${service}/api/auth/login`, {
      data: { email: person.email, password: person.password },
      headers: { origin: service },
    });
    for (const arriveAt of [link, (await seal({ text })).link]) {
      await page.goto(`data:text/html,${encodeURIComponent(`<a href="${arriveAt}">Plan</a>`)}`);
      await page.getByRole('link', { name: 'Plan' }).click();
      await page.getByText('This is yours').waitFor();
      await page.getByText(secret).waitFor();
    }
    expect(await viewsOf(url)).toBe(0);
    // Who signs in next in this tab gets no key.
    await page.goto(`${service}/account`);
    await page.locator('#sign-out').evaluate((button: HTMLElement) => button.click());
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toMatch(/[kp]1\./);
  });
});
