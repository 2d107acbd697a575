import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  answerDecisions,
  answerRequest,
  question,
  requestParameters,
  toConsent,
} from '../../support/apps/consent-request.ts';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { alerts, signIn, start } from '../flows/sign-in.ts';

const startConsent = async (
  prepare: (page: Page) => Promise<unknown>,
  parameters: Readonly<Record<string, string>> = {},
) => {
  const { url, open } = await start();
  const { page } = await open('/login');
  await signIn(page);
  await page.waitForURL(`${url}/dashboard`);
  await prepare(page);
  await page.goto(url + toConsent(parameters));
  return { url, page };
};

const refuse = (field: string) => (page: Page) =>
  answerRequest(page, {
    status: 400,
    error: {
      code: 'VALIDATION_ERROR',
      message: `Invalid ${field}: must be known.`,
      details: [{ field, message: 'must be known' }],
    },
  });

const heading = (page: Page, name: string) => page.getByRole('heading', { name });
const allow = (page: Page) => page.getByRole('button', { name: 'Allow' });
const ways = (page: Page) => page.locator('main a, main button').filter({ visible: true });

describe.skipIf(!hasBrowser)('the end of the consent page in a browser', () => {
  it.each([
    ['client_id', 'Unknown app'],
    ['redirect_uri', 'Wrong return address'],
  ])('is an error without a way back for a wrong %s', async (field, title) => {
    const { page } = await startConsent(refuse(field));
    await heading(page, title).waitFor();
    await page.getByText(`Invalid ${field}: must be known.`).waitFor();
    expect(await ways(page).count()).toBe(0);
    await inspect(page, `consent-unknown-${field}`);
  });

  it('leads back with an error of the request only by a click', async () => {
    const { redirect_uri: redirectUri } = requestParameters;
    const { page } = await startConsent(async (opened) => {
      const error = 'error=invalid_scope&error_description=scope+is+wrong.';
      const data = { outcome: 'return', location: `${redirectUri}?${error}` };
      await answerRequest(opened, { data });
      await opened.route(`${redirectUri}*`, (route) => route.fulfill({ body: 'Back' }));
    });
    await page.getByText('scope is wrong.').waitFor();
    await page.getByRole('button', { name: 'Return to claude.example' }).click();
    await page.waitForURL(`${redirectUri}*`);
  });

  it('can be tried again if the service fails', async () => {
    const { page } = await startConsent((opened) =>
      answerRequest(opened, {
        status: 503,
        error: { code: 'SERVICE_UNAVAILABLE', message: 'The service is busy.' },
      }),
    );
    await page.getByText('The service is busy.').waitFor();
    await answerRequest(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading(page, 'Allow Claude?').waitFor();
  });

  it('stays open beside an app of its own scheme, and says that it can be closed', async () => {
    const redirect = 'claude-app://callback';
    const { page } = await startConsent(
      async (opened) => {
        await answerRequest(opened);
        await answerDecisions(opened, { data: { location: `${redirect}?code=1` } });
      },
      { redirect_uri: redirect },
    );
    await allow(page).click();
    await heading(page, 'You can close this page').waitFor();
    await page.getByRole('button', { name: 'Open Claude' }).waitFor();
    await inspect(page, 'consent-closed');
  });

  it('goes nowhere that isn’t of the request', async () => {
    const { page } = await startConsent(async (opened) => {
      await answerRequest(opened);
      await answerDecisions(opened, { data: { location: 'javascript:document.title="x"' } });
    });
    await allow(page).click();
    await page.getByRole('alert').filter({ hasText: /./ }).waitFor();
    expect(await page.title()).toBe('Allow Claude? · Handbill');
  });

  it('continues by itself with an app that is known, which Back doesn’t repeat', async () => {
    const { redirect_uri: redirectUri } = requestParameters;
    let sent: readonly unknown[] = [];
    const { url, page } = await startConsent(async (opened) => {
      await answerRequest(opened, { data: { ...question, isKnown: true } });
      sent = await answerDecisions(opened, { data: { location: `${redirectUri}?code=1` } });
      await opened.route(`${redirectUri}*`, (route) => route.fulfill({ body: 'Back' }));
    });
    await page.waitForURL(`${redirectUri}*`);
    expect(sent).toMatchObject([{ decision: 'allow' }]);
    expect(sent[0]).not.toHaveProperty('permissions');
    await page.goBack();
    expect(page.url()).toBe(`${url}/dashboard`);
  });

  it('asks after all where continuing fails', async () => {
    const { page } = await startConsent(async (opened) => {
      await answerRequest(opened, { data: { ...question, isKnown: true } });
      await answerDecisions(opened, {
        status: 403,
        error: { code: 'REAUTHENTICATION_REQUIRED', message: 'x' },
      });
    });
    await heading(page, 'Allow Claude?').waitFor();
    expect(await alerts(page).count()).toBe(0);
  });
});

/** Lets the window of a page lose or get the focus, which a headless one always has. */
const setFocus = (page: Page, hasFocus: boolean) =>
  page.evaluate(`document.hasFocus = () => ${hasFocus}; dispatchEvent(new Event('focus'))`);

describe.skipIf(!hasBrowser)('what is pressed on a consent page that isn’t seen', () => {
  const isOff = (page: Page) => allow(page).getAttribute('aria-disabled');

  it('counts only half a second after the window has the focus', async () => {
    const sent: unknown[] = [];
    const { page } = await startConsent(async (opened) => {
      await answerRequest(opened);
      await opened.route('**/api/apps/consent', (route) => {
        sent.push(route.request().postDataJSON());
        return route.abort();
      });
    });
    await expect.poll(() => isOff(page)).toBe('false');
    await setFocus(page, false);
    expect(await isOff(page)).toBe('true');
    await allow(page).click({ force: true });
    // The press that brings the window to the front is its first.
    await page.evaluate(`document.hasFocus = () => true; dispatchEvent(new Event('focus'));
      document.getElementById('allow').click()`);
    expect(await isOff(page)).toBe('true');
    await expect.poll(() => isOff(page)).toBe('false');
    expect(sent).toEqual([]);
    await allow(page).click();
    await expect.poll(() => sent.length).toBe(1);
  });

  it('is no page within another one', async () => {
    const { url, page } = await startConsent(answerRequest);
    await page.goto(`${url}/licenses`);
    const isShown = await page.evaluate(`new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.src = '${toConsent()}';
      frame.onload = () => resolve(frame.contentDocument !== null);
      document.body.append(frame);
    })`);
    expect(isShown).toBe(false);
  });
});
