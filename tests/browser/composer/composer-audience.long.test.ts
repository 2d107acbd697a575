// Who can open a share, chosen in the composer: drafts, copies, and what the service doesn't allow.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  choosePassword,
  discard,
  isKept,
  link,
  openMoreOptions,
  openOptions,
  share,
  text,
} from '../../support/pages/composer-page.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { admin } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';
import { ann, chips, pick, search, start } from '../flows/audience.ts';

describe.skipIf(!hasBrowser)('who can open a share', () => {
  it('is kept in a draft and by its copy, and comes back with Undo', async () => {
    const { open, read, make, find } = await start();
    const { page } = await open(ann, '/');
    await text(page).fill('# A draft');
    await page.locator('#chip-who').click();
    await page.getByText('People you choose').click();
    await expect.poll(() => page.evaluate('document.activeElement.role')).toBe('combobox');
    for (const name of ['Bob', 'Carl']) await pick(page, name);
    await page.keyboard.press('Escape');
    await isKept(page, 'Carl');
    await page.reload();
    await expect.poll(() => chips(page)).toContain('2 people');
    await discard(page);
    await expect.poll(() => chips(page)).toContain('Anyone');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => chips(page)).toContain('2 people');
    // They are kept while another audience is chosen.
    await page.locator('#chip-who').click();
    await page.getByText('Everyone here').click();
    await expect.poll(() => chips(page)).toContain('Everyone here');
    await page.getByText('People you choose').click();
    await expect.poll(() => chips(page)).toContain('2 people');

    const { id } = await find('Dana');
    const original = await make({ content: 'x', audience: 'people', readers: [id] });
    await page.goto(new URL(`/?duplicate=${original}`, page.url()).href);
    await expect.poll(() => chips(page)).toContain('1 person');
    await share(page).click();
    await page.getByRole('heading', { name: 'Shared with 1 person' }).waitFor();
    expect(await read(await link(page).inputValue())).toMatchObject({
      readerList: [{ name: 'Dana' }],
    });
  });

  it('leaves no password for the owner alone, and keeps it for another choice', async () => {
    const { open, read } = await start();
    const { page, complaints } = await open(ann, '/');
    await text(page).fill('# Mine');
    await openOptions(page);
    await choosePassword(page, 'Generate');
    await page.getByRole('switch', { name: 'Burn after reading' }).check();
    await page.getByText('Only you').click();
    const hidden = page.getByRole('switch', { name: /^(Password|Burn after reading)/ });
    await expect.poll(() => hidden.count()).toBe(0);
    await inspect(page, 'composer-only-you');
    await page.getByText('Anyone with the link', { exact: true }).first().click();
    await expect.poll(() => hidden.count()).toBe(2);
    await expect.poll(() => chips(page)).toContain('Password');
    await page.getByText('Only you').click();
    await page.keyboard.press('Escape');
    await expect.poll(() => chips(page)).toEqual(['Only you', 'No expiration', '1 view']);
    await share(page).click();
    const result = page.getByRole('dialog', { name: 'Saved, only for you' });
    await result.getByText('No one else can open the link · 1 view').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('copy-link');
    await inspect(page, 'composer-result-only-you');
    expect(await read(await link(page).inputValue())).toMatchObject({
      audience: 'private',
      protected: false,
    });
    await result.getByRole('link', { name: 'Change who can open it' }).click();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('who-private');
    expect(complaints).toEqual([]);
  });

  it('is everyone of the service, who is told of nothing', async () => {
    const { open } = await start();
    const { page } = await open(ann, '/');
    await text(page).fill('# For all of us');
    await page.locator('#chip-who').click();
    await page.getByText('Everyone here').click();
    await page.keyboard.press('Escape');
    await share(page).click();
    await page.getByRole('heading', { name: 'Shared with everyone here' }).waitFor();
    const address = await link(page).inputValue();
    const { page: other } = await open('bob@example.com', new URL(address).pathname);
    await other.getByRole('heading', { name: 'For all of us' }).waitFor();
  });

  it('says which options need anyone with the link, and that a name can be guessed', async () => {
    const { open } = await start();
    const { page } = await open(ann, '/');
    await openMoreOptions(page);
    const guessable = page.getByText('Anyone who guesses the name can open it.');
    const onlyLink = page.getByText('Takes effect only for anyone with the link.');
    await expect.poll(() => guessable.isVisible()).toBe(false);
    await page.getByLabel('Name in the link').fill('menu');
    await guessable.waitFor();
    await expect.poll(() => onlyLink.first().isVisible()).toBe(false);
    await choosePassword(page, 'Generate');
    await expect.poll(() => guessable.isVisible()).toBe(false);
    await choosePassword(page, 'None');
    await page.getByText('Everyone here').click();
    await expect.poll(() => guessable.isVisible()).toBe(false);
    for (const one of await onlyLink.all()) expect(await one.isVisible()).toBe(true);
    expect(await onlyLink.count()).toBe(2);
  });

  it('names someone whose account was deleted', async () => {
    const { open, find, url, token } = await start();
    const { page } = await open(ann, '/');
    await text(page).fill('# For one');
    await page.locator('#chip-who').click();
    await page.getByText('People you choose').click();
    await expect.poll(() => page.evaluate('document.activeElement.role')).toBe('combobox');
    await pick(page, 'Bob');
    await page.keyboard.press('Escape');
    const { id } = await find('Bob');
    const gone = await send(`${url}/api/users/${id}`, { method: 'DELETE', token, body: {} });
    expect(gone.status).toBe(200);
    await share(page).click();
    await page.getByText('Contains unknown users: Bob.').waitFor();
    await page.getByRole('button', { name: 'Remove Bob' }).click();
    await expect.poll(() => page.getByText('Contains unknown users').count()).toBe(0);
  });

  it('is chosen after signing in, and then what the service begins with', async () => {
    const { url } = await start({ DEFAULT_AUDIENCE: 'private' });
    const context = await openContext(browser);
    const { page } = await openPage(context, url);
    await text(page).fill('# Written before');
    await openOptions(page);
    await page.getByText('Sign in to choose people.').waitFor();
    await expect.poll(() => page.getByRole('radio', { name: 'Only you' }).isDisabled()).toBe(true);
    await inspect(page, 'composer-who-signed-out');
    await page.keyboard.press('Escape');
    await share(page).click();
    await page.getByLabel('Email').fill(ann);
    await page.getByLabel('Password', { exact: true }).fill(admin.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Draft restored.').waitFor();
    await expect.poll(() => chips(page)).toContain('Only you');
  });

  it('is no wider than the service allows, and embedded nowhere then', async () => {
    const { open, read } = await start({ MAX_AUDIENCE: 'members' });
    const { page, complaints } = await open(ann, '/');
    await text(page).fill('# Within');
    await expect.poll(() => chips(page)).toContain('Everyone here');
    await openMoreOptions(page);
    await expect.poll(() => page.getByRole('radio', { name: /^Anyone/ }).isDisabled()).toBe(true);
    await expect.poll(() => page.getByLabel('Sites that can embed it').isDisabled()).toBe(true);
    await inspect(page, 'composer-who-limited');
    await page.keyboard.press('Escape');
    await share(page).click();
    await page.getByRole('heading', { name: 'Shared with everyone here' }).waitFor();
    expect(await read(await link(page).inputValue())).toMatchObject({ audience: 'members' });
    expect(complaints).toEqual([]);
  });

  it('is full at 50 people, however long their names, and everyone is proposed', async () => {
    const { open } = await start();
    const { page } = await open(ann, '/shares');
    const toName = (at: number) => (at === 2 ? 'Name'.repeat(40) : `P${at}`);
    const people = Array.from({ length: 50 }, (_, at) => ({ id: 1_000 + at, name: toName(at) }));
    const fields = { audience: 'people', readers: JSON.stringify(people) };
    const draft = JSON.stringify({ content: '# For many', fields, isAway: false });
    await page.evaluate(`localStorage.setItem('handbill-draft', ${JSON.stringify(draft)})`);
    await page.goto(new URL('/', page.url()).href);
    await expect.poll(() => chips(page)).toContain('50 people');
    await expect.poll(() => page.locator('#readers').innerText()).toBe('P0, P1 and 48 more');
    await page.locator('#chip-who').click();
    await page.getByText('50 people at most. Share with everyone here instead?').waitFor();
    await search(page).waitFor();
    const overflow = await page.evaluate(
      "(() => { const box = document.querySelector('#options .fill'); return box.scrollWidth - box.clientWidth; })()",
    );
    expect(overflow).toBe(0);
    await inspect(page, 'composer-people-full');
  });
});
