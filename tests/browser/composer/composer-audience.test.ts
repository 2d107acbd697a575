// Who can open a share, chosen in the composer.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { link, save, saved, share, text } from '../../support/pages/composer-page.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { ann, chips, pick, search, start } from '../flows/audience.ts';

const phone = { width: 390, height: 664 };

describe.skipIf(!hasBrowser)('who can open a share', () => {
  it('is chosen, shared with and changed by the keyboard', async () => {
    const { open, read } = await start();
    const { page, complaints } = await open(ann, '/');
    const focused = () =>
      page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.id');
    await text(page).fill('# For two');
    await page.locator('#chip-who').press('Enter');
    await expect.poll(focused).toBe('who-link');
    for (const audience of ['members', 'people', 'private', 'link', 'members', 'people']) {
      await page.keyboard.press('ArrowDown');
      await expect.poll(focused).toBe(`who-${audience}`);
    }
    await search(page).waitFor();
    await page.keyboard.press('Tab');
    await page.getByPlaceholder('Name or email').waitFor();
    for (const name of ['Bob', 'Carl']) await pick(page, name);
    await page.getByText('2 of 50 people. They get a notification and need to sign in.').waitFor();
    await inspect(page, 'composer-people');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('chip-who');
    await expect.poll(() => chips(page)).toContain('2 people');
    await expect.poll(() => page.locator('#readers').innerText()).toBe('Bob and Carl');
    await page.keyboard.press('Control+Enter');
    const result = page.getByRole('dialog', { name: 'Shared with 2 people' });
    await result.getByText('Only they can open it, signed in').waitFor();
    await expect.poll(focused).toBe('Copy link');
    await inspect(page, 'composer-result-people');
    const address = await link(page).inputValue();
    expect(await read(address)).toMatchObject({
      audience: 'people',
      readerList: [{ name: 'Bob' }, { name: 'Carl' }],
    });

    const path = new URL(address).pathname;
    const bob = await open('bob@example.com', path);
    await bob.page.getByRole('heading', { name: 'For two' }).waitFor();
    const dana = await open('dana@example.com', path);
    await dana.page.getByRole('heading', { name: 'Snippet not found' }).waitFor();

    await result.getByRole('link', { name: 'Change people' }).press('Enter');
    await page.getByRole('button', { name: 'Remove Carl' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.role')).toBe('combobox');
    await page.keyboard.press('Backspace');
    await page.getByText('Backspace again removes Carl.').waitFor();
    await page.keyboard.press('Backspace');
    await pick(page, 'Dana');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    await saved(page);
    await expect
      .poll(() => page.getByRole('list', { name: 'People who can open it' }).innerText())
      .toMatch(/^B\nBob\nD\nDana\nGets a notification$/);
    expect(await read(address)).toMatchObject({ readerList: [{ name: 'Bob' }, { name: 'Dana' }] });
    await dana.page.reload();
    await dana.page.getByRole('heading', { name: 'For two' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('is a sheet on a phone, and asks for someone before it is shared', async () => {
    const { open, read } = await start();
    const { page, complaints } = await open(ann, '/', phone);
    await text(page).fill('# For one');
    await page.locator('#chip-who').click();
    await page.getByText('People you choose').click();
    await expect.poll(() => page.evaluate('document.activeElement.role')).toBe('combobox');
    await page.goBack();
    await page.locator('#options').waitFor({ state: 'hidden' });
    await expect.poll(() => chips(page)).toEqual(['Choose people', 'No password']);

    await share(page).click();
    await page.getByText('Add at least one person.').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.role')).toBe('combobox');
    await inspect(page, 'composer-people-missing');
    await pick(page, 'Bob');
    await expect.poll(() => page.getByText('Add at least one person.').count()).toBe(0);
    await page.keyboard.type('Ca');
    await page.getByRole('button', { name: 'Done' }).click();
    await share(page).click();
    await page.getByText('Choose someone for “Ca”, or clear the field.').waitFor();
    await search(page).fill('');
    await page.getByRole('button', { name: 'Done' }).click();
    await share(page).click();
    await page.getByRole('heading', { name: 'Shared with 1 person' }).waitFor();
    expect(await read(await link(page).inputValue())).toMatchObject({
      readerList: [{ name: 'Bob' }],
    });
    expect(complaints).toEqual([]);
  });

  it('stays as it was when something else of a share is edited', async () => {
    const { open, make, find } = await start();
    const { id: bob } = await find('Bob');
    const id = await make({ content: '# Before', audience: 'people', readers: [bob] });
    const { page } = await open(ann, `/?edit=${id}`);
    const bodies: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT') bodies.push(request.postDataJSON());
    });
    await page.getByText('You’re editing a share.').waitFor();
    await expect.poll(() => chips(page)).toContain('1 person');
    await text(page).fill('# After');
    await save(page).click();
    await saved(page);
    expect(bodies).toEqual([expect.not.objectContaining({ audience: expect.anything() })]);
    expect(bodies).toEqual([expect.not.objectContaining({ readers: expect.anything() })]);
  });
});
