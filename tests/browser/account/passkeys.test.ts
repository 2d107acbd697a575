import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { addAuthenticator } from '../../support/passkeys/virtual-authenticator.ts';
import { send } from '../../support/run/process.ts';
import { start } from '../flows/sign-in.ts';
import { addScript, run } from '../passkeys-script.ts';

const credentials = { email: 'ann@example.com', password: 'correct horse' };

/** Opens a page that suggests no passkeys by itself, with an authenticator, and signs its user in by the password. */
const openSignedIn = async (canVerify = true) => {
  const { url, open } = await start();
  const { page, complaints } = await open('/forgot');
  const authenticator = await addAuthenticator(page, canVerify);
  await addScript(page);
  const signIn = () =>
    page.context().request.post(`${url}/api/auth/login`, {
      data: credentials,
      headers: { origin: url },
    });
  await signIn();
  return { url, page, complaints, authenticator };
};

const signOut = (page: Page) => page.context().clearCookies();

const me = (page: Page) => run(page, "client.call('GET /api/auth/me').then(({ email }) => email)");

const added = {
  factors: { totp: null, passkeys: [expect.any(Object)], recoveryCodes: expect.any(Object) },
  codes: Array(10).fill(expect.any(String)),
};

const addPasskey = 'addPasskey(passkeys.client)';

describe.skipIf(!hasBrowser)('passkeys in a browser', () => {
  it('are added once to a device, and sign in alone', async () => {
    const { page, complaints, authenticator } = await openSignedIn();
    expect(await run(page, 'canUsePasskeys()')).toBe(true);
    expect(await run(page, addPasskey)).toEqual(added);
    expect(await authenticator.countPasskeys()).toBe(1);
    expect(await run(page, addPasskey)).toEqual({
      name: 'PasskeyError',
      message: 'This device already has a passkey for your account.',
      reason: 'alreadyAdded',
    });
    await signOut(page);
    expect(await run(page, 'signInByPasskey()')).toBe('done');
    expect(await me(page)).toBe(credentials.email);
    expect(complaints).toEqual([]);
  });

  it('complete a sign-in as second factor, without a check of who uses them', async () => {
    const { url, page } = await openSignedIn(false);
    await run(page, addPasskey);
    await signOut(page);
    const { body } = await send(`${url}/api/auth/login`, { method: 'POST', body: credentials });
    expect(await run(page, 'signInByPasskey()')).toEqual({
      name: 'PasskeyError',
      message: 'That was canceled, or it took too long. Try again.',
      reason: 'canceled',
    });
    expect(await run(page, `completeByPasskey(${JSON.stringify(body.data.mfaToken)}, true)`)).toBe(
      'done',
    );
    expect(await me(page)).toBe(credentials.email);
    const cookies = await page.context().cookies();
    expect(cookies.map(({ name }) => name).sort()).toEqual(['__Host-device', '__Host-session']);
  });

  it('prove who is signed in', async () => {
    const { page } = await openSignedIn();
    await run(page, addPasskey);
    expect(await run(page, 'proveByPasskey(passkeys.client)')).toBe('done');
  });

  /** Opens the page of a user with a passkey who is signed out, and lets it suggest the passkey. */
  const openSuggesting = async (isPresent: boolean) => {
    const { page, authenticator } = await openSignedIn();
    await run(page, addPasskey);
    await signOut(page);
    await authenticator.setPresent(isPresent);
    await page.getByLabel('Email').evaluate((field) => {
      field.setAttribute('autocomplete', 'username webauthn');
    });
    await Promise.all([
      page.waitForResponse('**/api/auth/login/passkey/options'),
      page.evaluate(
        'void passkeys.suggestPasskeys({ onSignedIn: () => { document.title = "In"; }, onFailure: ({ message }) => { document.title = message; } })',
      ),
    ]);
    return { page, authenticator };
  };

  it('are suggested in the field of the email address', async () => {
    const { page } = await openSuggesting(true);
    await expect.poll(() => page.title()).toBe('In');
    expect(await me(page)).toBe(credentials.email);
  });

  it('sign in by a button while they are suggested, which go on if that fails', async () => {
    const { page, authenticator } = await openSuggesting(false);
    await page.route('**/api/auth/login/passkey', (route) => route.abort(), { times: 1 });
    await authenticator.setPresent(true);
    expect(await run(page, 'signInByPasskey()')).toMatchObject({ reason: 'UNREACHABLE' });
    await expect.poll(() => page.title()).toBe('In');
    expect(await me(page)).toBe(credentials.email);
  });

  it('tell what the service refuses, and what the browser can’t do', async () => {
    const { page, authenticator } = await openSignedIn();
    await run(page, addPasskey);
    await signOut(page);
    await authenticator.setCounter(5);
    await run(page, 'signInByPasskey()');
    await authenticator.setCounter(2);
    expect(await run(page, 'signInByPasskey()')).toEqual({
      name: 'ApiError',
      message:
        'This passkey was refused, because a copy of it seems to be in use. Sign in another way and remove it.',
      reason: 'FORBIDDEN',
    });
    await page.evaluate('delete globalThis.PublicKeyCredential');
    expect(await run(page, 'canUsePasskeys()')).toBe(false);
    expect(await run(page, 'signInByPasskey()')).toEqual({
      name: 'PasskeyError',
      message: 'This browser can’t use passkeys. Try another browser, or go on without.',
      reason: 'unsupported',
    });
  });
});
