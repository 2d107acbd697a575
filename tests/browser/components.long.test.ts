// How the components of all pages look and fit, and what they ignore.

import { describe, expect, it } from 'vitest';
import { findViolations } from '../support/pages/axe.ts';
import { hasBrowser } from '../support/pages/browser.ts';
import { findInvisibleIcons, findMotion, findOverflows } from '../support/pages/inspections.ts';
import { button, focused, log, useComponents } from './components-page.ts';

describe.skipIf(!hasBrowser)('the components in a browser', () => {
  const open = useComponents();

  it.each(['light', 'dark'] as const)('are accessible and fit, %s', async (colorScheme) => {
    const { page, complaints } = await open({
      colorScheme,
      viewport: { width: 1440, height: 900 },
    });
    expect(await findViolations(page)).toEqual([]);
    expect(await findOverflows(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await findViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('show their icons with forced colors, and rest where less motion is wanted', async () => {
    const { page } = await open({ forcedColors: 'active', reducedMotion: 'reduce' });
    expect(await findInvisibleIcons(page)).toEqual([]);
    expect(await findMotion(page)).toEqual([]);
  });

  it('ignore presses while they are busy or disabled', async () => {
    const { page } = await open();
    await button(page, 'Busy').click();
    await button(page, 'Disabled').click({ force: true });
    await button(page, 'Disabled').focus();
    await expect.poll(() => focused(page)).toBe('Disabled');
    const waiting = page.getByRole('button', { name: /^Try again in \d+ s$/ });
    await expect.poll(() => waiting.isDisabled()).toBe(true);
    await expect.poll(() => log(page)).toBe('');
  });

  it.each([900, 390])('open records over the page where it is narrow: %d px', async (width) => {
    const { page } = await open({ viewport: { width, height: 800 } });
    await page.getByRole('link', { name: 'Row 1.2' }).click();
    const drawer = page.getByRole('dialog', { name: 'Row 1.2' });
    await drawer.waitFor();
    await expect.poll(() => page.locator('dialog:modal').count()).toBe(1);
    expect(await findViolations(page)).toEqual([]);
    // A menu inside closes first.
    await drawer.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Act' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('menuitem').count()).toBe(0);
    await expect.poll(() => drawer.isVisible()).toBe(true);
    // It follows the width.
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect.poll(() => page.locator('dialog:modal').count()).toBe(0);
    await drawer.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => drawer.count()).toBe(0);
  });

  it('keep tabs and segments as links and pressed buttons', async () => {
    const { page } = await open();
    const url = page.url();
    await page.getByRole('link', { name: 'sessions 2' }).click();
    await expect
      .poll(() => page.locator('.tabs [aria-current=page]').innerText())
      .toMatch(/^sessions/);
    expect(page.url()).toBe(url);
    await button(page, 'Mine').click();
    await expect.poll(() => button(page, 'Mine').getAttribute('aria-pressed')).toBe('true');
  });

  it('check fields when they are left and sent, and name what the service refuses', async () => {
    const { page } = await open();
    await page.getByLabel('Name', { exact: true }).focus();
    await page.keyboard.press('Tab');
    await page.getByText('Name is required.').waitFor();
    await button(page, 'Save').click();
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name');
    await page.keyboard.type('Ann');
    await expect.poll(() => page.getByText('Name is required.').count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.getByText('Must be an email address.').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('email');
    await page.keyboard.type('taken@example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Taken.' }).waitFor();
    await page.getByLabel('Email').fill('ann@example.com');
    await page.keyboard.press('Enter');
    await expect.poll(() => log(page)).toBe('sent');
    await expect.poll(() => page.getByText('Taken.').count()).toBe(0);
  });

  it('let rows be walked, selected, sorted and opened by keyboard', async () => {
    const { page } = await open({ viewport: { width: 1440, height: 900 } });
    for (const key of ['j', 'j', 'x', 'k']) await page.keyboard.press(key);
    await expect.poll(() => focused(page)).toBe('Row 1.1');
    await page.getByText('1 selected').waitFor();
    await page.getByLabel('Select all on this page').check();
    await page.getByText('3 selected').waitFor();
    await button(page, 'Clear selection').click();
    await expect.poll(() => page.getByRole('toolbar').count()).toBe(0);
    const name = page.getByRole('columnheader', { name: 'Name' });
    await expect.poll(() => name.getAttribute('aria-sort')).toBe('ascending');
    await name.getByRole('button').click();
    await expect.poll(() => name.getAttribute('aria-sort')).toBe('descending');

    await button(page, 'Next').click();
    await page.getByText('4–6 of 9').waitFor();
    await button(page, 'Next').click();
    await page.getByText('7–9 of 9').waitFor();
    await expect.poll(() => button(page, 'Next').isDisabled()).toBe(true);
    await button(page, 'Previous').click();
    await page.getByText('4–6 of 9').waitFor();

    // Beside the list, the drawer lets the page be used.
    await page.getByRole('link', { name: 'Row 2.2' }).focus();
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog', { name: 'Row 2.2' });
    await drawer.waitFor();
    await expect.poll(() => focused(page)).toBe('Row 2.2');
    await expect.poll(() => page.locator('dialog:modal').count()).toBe(0);
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => drawer.count()).toBe(0);
    await expect.poll(() => focused(page)).toBe('Row 2.2');
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('A');
  });

  it('open menus, dialogs and toasts that keys work in', async () => {
    const { page } = await open();
    const menu = button(page, 'Actions for Row 1.1');
    await menu.focus();
    // It has the focus before anything can follow, such as another key.
    await page.evaluate(
      "addEventListener('toggle', () => { window.atFirst = document.activeElement.textContent }, { capture: true, once: true })",
    );
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('window.atFirst')).toMatch(/^Edit/);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).toBe('Copy');
    await page.keyboard.press('d');
    await expect.poll(() => focused(page)).toBe('Delete');
    await page.keyboard.press('Home');
    await expect.poll(() => focused(page)).toMatch(/^Edit/);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => focused(page)).toBe('Delete');
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe('Actions for Row 1.1');
    await menu.click();
    await page.getByRole('menuitem', { name: 'Copy' }).click();
    await expect.poll(() => log(page)).toBe('copy Row 1.1');

    // Dialogs return the focus.
    await button(page, 'Ask').click();
    const question = page.getByRole('dialog', { name: 'Delete 3 rows?' });
    await question.waitFor();
    await expect.poll(() => focused(page)).toBe('Cancel');
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => log(page)).toBe('refused');
    await expect.poll(() => focused(page)).toBe('Ask');
    await page.keyboard.press('Enter');
    await question.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => log(page)).toBe('agreed');
    await button(page, 'Open dialog').click();
    await button(page, 'Close it').click();
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(0);
    await expect.poll(() => focused(page)).toBe('Open dialog');

    // What was done is taken back until the toast is gone.
    await button(page, 'Do undoably').click();
    await button(page, 'Undo').click();
    await expect.poll(() => log(page)).toBe('put back');
    await button(page, 'Do undoably').click();
    await page.getByText('Row deleted').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await button(page, 'Dismiss').click();
    await expect.poll(() => log(page)).toBe('committed');
    await button(page, 'Toast').click();
    await page.getByRole('status').filter({ hasText: 'Done' }).waitFor();
  });
});
