import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { send } from '../../support/run/process.ts';
import { arrive } from '../flows/share-cdn.ts';
import { register, signIn, start } from '../flows/sign-in.ts';

/** Starts a service with a share of Bob’s, for Ann or others. */
const startShare = async (fields: object) => {
  const { url, open } = await start();
  const { token } = (await register(url, 'bob@example.com')).body;
  const body = { content: '# Offer', language: 'markdown', ...fields };
  const { body: share } = await send(`${url}/api/share`, { method: 'POST', token, body });
  return { url, open, share };
};

/** The answers that a gate gives, which a browser reports. */
const isAnswer = (text: string) => /status of 40[14]/.test(text);

describe.skipIf(!hasBrowser)('a share that isn’t open to all in a browser', () => {
  it('leads its reader to sign in and back, and opens from another site then', async () => {
    const { open, share } = await startShare({ readers: ['ann@example.com'] });
    const { page, complaints } = await open('/licenses');
    await arrive(page, share.url);
    await page.getByRole('heading', { name: 'Sign in to open this' }).waitFor();
    await inspect(page, 'share-sign-in');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByText('Sign in to see this page.').waitFor();
    await signIn(page);
    await page.getByRole('heading', { name: 'Offer', level: 1 }).waitFor();
    expect(page.url()).toBe(share.url);
    await arrive(page, share.url);
    await page.getByRole('heading', { name: 'Offer', level: 1 }).waitFor();
    expect(complaints.filter((text) => !isAnswer(text))).toEqual([]);
  });

  it('is not found by another account, which is switched and comes back', async () => {
    const { url, open, share } = await startShare({ audience: 'private' });
    const { page, complaints } = await open('/login');
    await signIn(page);
    await page.waitForURL(`${url}/dashboard`);
    await page.goto(share.url);
    await page.getByText('ann@example.com').waitFor();
    await inspect(page, 'share-not-found');
    await page.getByRole('button', { name: 'Switch account' }).press('Enter');
    await page.getByLabel('Email').fill('bob@example.com');
    await page.getByLabel('Password', { exact: true }).fill('correct horse');
    await page.keyboard.press('Enter');
    await page.getByText('0 views · only you').waitFor();
    expect(page.url()).toBe(share.url);
    expect(complaints.filter((text) => !isAnswer(text))).toEqual([]);
  });
});
