import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { read, text } from '../../support/pages/composer-page.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { ann, codeMirror, start, stateIs, textIs, title } from '../flows/document.ts';

const content = '# Plan\n\nThe cover is white.\n\n## Dates\n- Proofs\n- Fair';
const changed = 'Changed by someone else';
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const marks = (page: Page, name: string) => region(page, name).locator('mark').allInnerTexts();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Opens a document of Ann’s in which Mod has just saved a change. */
const startConflict = async (theirs: object) => {
  const service = await start({ content });
  const { open, path, url, signIn } = service;
  const { page, complaints } = await open(ann, path);
  await codeMirror(page);
  const token = await signIn('mod@example.com');
  const asMod = async (body: object) => {
    const options = { method: 'PUT', headers: { authorization: `Bearer ${token}` } };
    const sent = await fetch(`${url}/api${path}`, { ...options, body: JSON.stringify(body) });
    expect(sent.status).toBe(200);
  };
  await asMod(theirs);
  return { ...service, page, complaints, asMod };
};

/** A 412 is the conflict, and Chromium gives a style to what `insertText` puts into an editable element. */
const isDefect = (complaint: string) => !/412|inline style/.test(complaint);

/** Replaces the text in the editor. */
const write = async (page: Page, words: string) => {
  await text(page).press('Control+a');
  await page.keyboard.insertText(words);
};

describe.skipIf(!hasBrowser)('a document that two people change, in a browser', () => {
  it('shows who changed what, by line and word, and keeps either', async () => {
    const blue = content.replace('white', 'blue').replace('- Proofs', '- Proofs\n- Press');
    const { page, stored, complaints, asMod } = await startConflict({ content: blue });
    const green = content.replace('white', 'green').replace('- Proofs', '- Proofs\n- Binding');
    await write(page, green);
    await stateIs(page, changed);
    await page.getByRole('heading', { name: /^Mod changed this/ }).waitFor();
    await page.getByText('Nothing is lost. 2 places differ; choose what stays.').waitFor();
    await expect.poll(() => marks(page, 'Your version')).toEqual(['green', 'Binding']);
    await expect.poll(() => marks(page, 'Mod’s version')).toEqual(['blue', 'Press']);
    await expect.poll(() => region(page, 'Your version').innerText()).toContain('Yours differs:');
    await page.getByText('Difference 1 of 2').waitFor();
    for (const [key, at] of [
      ['n', 2],
      ['n', 1],
      ['p', 2],
    ] as const) {
      await page.keyboard.press(key);
      await page.getByText(`Difference ${at} of 2`).waitFor();
    }
    await press(page, 'Next difference');
    await page.getByText('Difference 1 of 2').waitFor();
    await inspect(page, 'document conflict');
    await press(page, 'Use mine');
    await page.getByText('Your version is saved').waitFor();
    await expect.poll(async () => (await stored()).content).toBe(green);

    // The other way, and back.
    await asMod({ content: 'By Mod' });
    await write(page, 'By Ann');
    await stateIs(page, changed);
    await press(page, 'Use Mod’s');
    await textIs(page, 'By Mod');
    await stateIs(page, 'Saved');
    await press(page, 'Undo');
    await textIs(page, 'By Ann');
    await expect.poll(async () => (await stored()).content).toBe('By Ann');
    expect(complaints.filter(isDefect)).toEqual([]);
  });

  it('keeps both: merged where nothing overlaps, else below each other with the focus there', async () => {
    const theirs = content.replace('- Fair', '- Fair: 18 March');
    const { page, stored, complaints, asMod } = await startConflict({ content: theirs });
    await write(page, content.replace('white', 'green'));
    await stateIs(page, changed);
    await press(page, 'Keep both');
    await page.getByText('Both changes are saved').waitFor();
    const merged = theirs.replace('white', 'green');
    await expect.poll(async () => (await stored()).content).toBe(merged);

    await asMod({ content: merged.replace('green', 'blue'), title: 'Mod’s plans' });
    await title(page).fill('Ann’s plans');
    await write(page, merged.replace('green', 'red'));
    await stateIs(page, changed);
    await page.getByText('2 places differ').waitFor();
    await press(page, 'Keep both');
    const both = merged.replace('The cover is green.', 'The cover is red.\nThe cover is blue.');
    await textIs(page, both);
    await expect.poll(() => title(page).inputValue()).toBe('Ann’s plans / Mod’s plans');
    await page.locator('.cm-focused').waitFor();
    await page.keyboard.insertText('> ');
    await expect
      .poll(() => read(page))
      .toBe(both.replace('The cover is red', '> The cover is red'));
    await stateIs(page, 'Saved');
    expect(complaints.filter(isDefect)).toEqual([]);
  });

  it('keeps yours as a draft when the page is left, and never saves it over theirs', async () => {
    const { page, stored } = await startConflict({ content: content.replace('white', 'blue') });
    await write(page, content.replace('white', 'green'));
    await stateIs(page, changed);
    await page.reload();
    await page.getByRole('heading', { name: /^Mod changed this/ }).waitFor();
    await expect.poll(() => marks(page, 'Your version')).toEqual(['green']);
    expect((await stored()).content).toContain('blue');
    await page.setViewportSize({ width: 390, height: 664 });
    await expect
      .poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
      .toBe(true);
    await press(page, 'Use mine');
    await expect.poll(async () => (await stored()).content).toContain('green');
  });
});
