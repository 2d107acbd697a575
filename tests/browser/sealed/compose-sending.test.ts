import type { Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  choose,
  isKept,
  kept,
  link,
  openMoreOptions,
  ready,
  saved,
  share,
  text,
  textIs,
} from '../../support/pages/composer-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';
import {
  goOn,
  openRecorded,
  seal,
  sealedSwitch,
  shareSealed,
} from '../../support/sealed/composing.ts';
import { openByLink } from '../../support/sealed/opening.ts';
import { secretText } from '../../support/shares/sealed.ts';

/** Loses the answers of the first requests that create a share, which the service has stored. Returns all of them. */
const loseAnswers = async (page: Page, count: number): Promise<Request[]> => {
  const requests: Request[] = [];
  await page.route('**/api/share', async (route) => {
    const request = route.request();
    if (request.method() !== 'POST') return route.fallback();
    requests.push(request);
    if (requests.length > count) return route.fallback();
    await route.fetch();
    return route.abort('connectionreset');
  });
  return requests;
};

const keyOf = (request: Request) => request.headers()['idempotency-key'];
const proofOf = (request: Request) => request.postDataJSON().proof;

describe.skipIf(!hasBrowser)('sending a sealed share', () => {
  it('is the same request after a lost answer, so that there is one share', async () => {
    const { page, url, token } = await openRecorded(browser);
    const requests = await loseAnswers(page, 1);
    await text(page).fill(secretText);
    await seal(page);
    await share(page).click();
    await page.getByText('Can’t reach the server.').waitFor();
    await share(page).click();
    await ready(page);
    const [first, second] = requests;
    expect(requests).toHaveLength(2);
    expect(second?.postData()).toBe(first?.postData());
    expect(second && keyOf(second)).toBe(first && keyOf(first));
    const { body } = await send(`${url}/api/share?mine=true`, { token });
    expect(body.items).toHaveLength(1);
    expect((await openByLink(await link(page).inputValue())).content.text).toBe(secretText);
  });

  it('has another key where another share may be stored with the first', async () => {
    const { page } = await openRecorded(browser);
    const requests = await loseAnswers(page, 1);
    await text(page).fill(secretText);
    await seal(page);
    await share(page).click();
    await page.getByText('Can’t reach the server.').waitFor();
    await text(page).fill(`${secretText} And 1234.`);
    await share(page).click();
    await ready(page);
    const [first, second] = requests;
    expect(second && proofOf(second)).not.toBe(first && proofOf(first));
    const { content } = await openByLink(await link(page).inputValue());
    expect(content.text).toBe(`${secretText} And 1234.`);
  });

  it('is sealed to its end, whatever is switched meanwhile', async () => {
    const { page } = await openRecorded(browser);
    const sent: Request[] = [];
    await page.route('**/api/share', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      sent.push(route.request());
      if (sent.length > 1) return route.fallback();
      await page.locator('#share-sealed').evaluate((control: HTMLInputElement) => control.click());
      // All is uploaded and sent again.
      const details = [{ field: 'upload', message: 'is over' }];
      const error = { code: 'VALIDATION_ERROR', message: 'The upload is over.', details };
      return route.fulfill({ status: 400, json: { success: false, error } });
    });
    await text(page).fill(secretText);
    await page
      .locator('#file')
      .setInputFiles([{ name: 'a.bin', mimeType: '', buffer: Buffer.from([0, 1]) }]);
    await seal(page);
    await share(page).click();
    await ready(page);
    expect(sent.map((request) => request.postDataJSON().sealed)).toEqual([true, true]);
    const { content } = await openByLink(await link(page).inputValue());
    expect(content.text).toBe(secretText);
  });

  it('turns the wish for a passphrase into that for a password once it isn’t sealed any more', async () => {
    const { page } = await openRecorded(browser);
    const requests = await loseAnswers(page, 0);
    await text(page).fill('# Not so secret');
    await seal(page, 'Blue heron');
    await openMoreOptions(page);
    await sealedSwitch(page).uncheck();
    expect(await page.getByRole('switch', { name: 'Password' }).isChecked()).toBe(true);
    await page.keyboard.press('Escape');
    await share(page).click();
    await ready(page);
    const body = requests[0]?.postDataJSON();
    expect(body).toMatchObject({ content: '# Not so secret', useRandomPassword: true });
    expect(JSON.stringify(body)).not.toContain('heron');
  });

  it('keeps the key while options are refused', async () => {
    const { page, url, token } = await openRecorded(browser);
    await send(`${url}/api/share`, {
      ...{ method: 'POST', token, body: { content: 'A', slug: 'codes' } },
    });
    const requests = await loseAnswers(page, 0);
    await text(page).fill(secretText);
    await seal(page);
    await openMoreOptions(page);
    await page.getByLabel('Name in the link').fill('codes');
    await page.keyboard.press('Control+Enter');
    await page.locator('#share-slug-wrong:not(:empty)').waitFor();
    await page.getByLabel('Name in the link').fill('codes-2');
    await page.keyboard.press('Control+Enter');
    await ready(page);
    expect(new Set(requests.map(proofOf)).size).toBe(1);
    const whole = await link(page).inputValue();
    expect(whole).toContain('/s/codes-2#k1.');
    expect((await openByLink(whole)).content.text).toBe(secretText);
  });

  it('has no password, embedding or public revisions, whatever was chosen before', async () => {
    const { page } = await openRecorded(browser);
    const requests = await loseAnswers(page, 0);
    await text(page).fill(secretText);
    await openMoreOptions(page);
    await page.getByLabel('Sites that can embed it').fill('*');
    await page.getByRole('switch', { name: 'Readers see revisions' }).check();
    await page.getByRole('switch', { name: 'Password' }).check();
    await sealedSwitch(page).check();
    await expect.poll(() => page.getByRole('switch', { name: 'Password' }).count()).toBe(0);
    // A passphrase is asked for in the place of the password.
    await page.getByLabel('Choose a passphrase').fill('Blue heron');
    await page.getByText('Not for a sealed share: a frame has no key.').waitFor();
    const off = ['Sites that can embed it', 'Readers see revisions'];
    for (const name of off) expect(await page.getByLabel(name).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await share(page).click();
    await ready(page);
    const body = requests[0]?.postDataJSON();
    expect(body).toMatchObject({ sealed: true, embedOrigins: [], showsRevisions: false });
    expect(Object.keys(body)).not.toContain('useRandomPassword');
    expect(await page.getByRole('button', { name: 'Copy embed code' }).count()).toBe(0);
  });
});

describe.skipIf(!hasBrowser)('an edited share that is sealed', () => {
  it('gets a new envelope with its content only, and can be ended by readers', async () => {
    const { page, url } = await openRecorded(browser);
    const whole = await shareSealed(page, secretText);
    await goOn(page);
    await page.getByText('You’re editing a share.').waitFor();
    const change = page.waitForRequest((request) => request.method() === 'PUT');
    await openMoreOptions(page);
    await page.getByRole('switch', { name: 'Readers can end it' }).check();
    await page.keyboard.press('Control+Enter');
    await saved(page);
    const body = (await change).postDataJSON();
    expect(body).toMatchObject({ readersCanEnd: true, embedOrigins: [] });
    for (const name of ['content', 'language', 'proof', 'files', 'password']) {
      expect(Object.keys(body)).not.toContain(name);
    }
    expect((await openByLink(whole)).content.text).toBe(secretText);

    // A link that is pasted into the address bar leaves it, too.
    await goOn(page);
    await page.getByText('You’re editing a share.').waitFor();
    const { pathname, hash } = new URL(whole);
    const id = pathname.split('/').at(-1);
    await page.evaluate(`location.hash = '${hash.replace(/.$/, '_')}'`);
    await page.waitForURL(`${url}/?edit=${id}`);
    await page.reload();
    await textIs(page, secretText);
  });
});

describe.skipIf(!hasBrowser)('the draft of a sealed share', () => {
  it('keeps the switch, and neither the passphrase nor a key', async () => {
    const { page } = await openRecorded(browser);
    await text(page).fill(secretText);
    await seal(page, 'Blue heron');
    await isKept(page, String.raw`\"sealed\":\"1\"`);
    expect(await kept(page)).not.toContain('Blue heron');
    await page.reload();
    await textIs(page, secretText);
    await page.locator('#chip-password', { hasText: 'Sealed' }).waitFor();
    // It is not shared without what was chosen for it.
    await share(page).click();
    await page.getByText('Enter it, or choose something else.').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('passphrase');
    await page.keyboard.type('Grey heron');
    await page.keyboard.press('Control+Enter');
    await ready(page);
    const whole = await link(page).inputValue();
    expect((await openByLink(whole, 'Grey heron')).content.text).toBe(secretText);
    const stored = String(await page.evaluate('JSON.stringify([localStorage, sessionStorage])'));
    expect(stored).not.toContain('heron');
    // The key is kept for this tab only.
    const fragment = whole.slice(whole.indexOf('#') + 1);
    expect(await kept(page)).not.toContain(fragment);
    expect(stored).toContain(fragment);
  });

  it('doesn’t keep the name of a file as its title, also not after a reload', async () => {
    const { page } = await openRecorded(browser);
    const buffer = Buffer.from('const code = 4711;');
    const file = { name: 'falke-codes.js', mimeType: 'text/javascript', buffer };
    await page.locator('#file').setInputFiles([file]);
    const title = page.getByLabel('Title');
    await expect.poll(() => title.inputValue()).toBe('falke-codes.js');
    await isKept(page, 'falke-codes.js');
    await page.reload();
    await expect.poll(() => title.inputValue()).toBe('falke-codes.js');
    await seal(page);
    expect(await title.inputValue()).toBe('');
    // A title that is written stays.
    await title.fill('Falke');
    const requests = await loseAnswers(page, 0);
    await share(page).click();
    await ready(page);
    expect(requests[0]?.postDataJSON().title).toBe('Falke');
  });

  it('takes no blank passphrase', async () => {
    const { page } = await openRecorded(browser);
    await text(page).fill(secretText);
    await seal(page, '   ');
    await share(page).click();
    await page.getByText('Enter it, or choose something else.').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('passphrase');
  });

  it('says of a large text what its language allows', async () => {
    const { page } = await openRecorded(browser);
    await seal(page);
    await text(page).fill('a'.repeat(600 * 1_024));
    await share(page).click();
    await page.getByText('Markdown can be at most 512 KB.').waitFor();
    await choose(page, 'HTML');
    await page.locator('#size', { hasText: 'of 3.5 MB' }).waitFor();
  });

  it('of a new share never has what the last one was sealed with', async () => {
    const { page, url } = await openRecorded(browser);
    const first = await shareSealed(page, secretText);
    await page.getByRole('link', { name: 'New share' }).press('Enter');
    await page.waitForURL(`${url}/`);
    await textIs(page, '');
    expect(await page.locator('#chip-password').innerText()).toBe('No password');
    const second = await shareSealed(page, secretText);
    expect(new URL(second).hash).not.toBe(new URL(first).hash);
  });
});
