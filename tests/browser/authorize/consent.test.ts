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
import { arrive } from '../flows/share-cdn.ts';
import { alerts, signIn, start } from '../flows/sign-in.ts';

const { client_id: clientId, redirect_uri: redirectUri } = requestParameters;

const location = `${redirectUri}?code=1`;

/** Shows where the page leads to, in place of the client. */
const answerClient = (page: Page) =>
  page.route(`${redirectUri}*`, (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', body: '<h1>Claude’s page</h1>' }),
  );

/** Opens the page as a signed-in user, with these answers of the API. */
const startConsent = async (
  answer: Parameters<typeof answerRequest>[1] = { data: question },
  parameters = {},
) => {
  const { url, open } = await start();
  const { page, complaints } = await open('/login');
  await signIn(page);
  await page.waitForURL(`${url}/dashboard`);
  await answerRequest(page, answer);
  await answerClient(page);
  await page.goto(url + toConsent(parameters));
  return { url, page, complaints };
};

const allow = (page: Page) => page.getByRole('button', { name: 'Allow' });
/** Presses Enter on Allow once the page takes it: a click waits for that, a key doesn't. */
const pressAllow = (page: Page) => page.locator('#allow[aria-disabled="false"]').press('Enter');
const heading = (page: Page, name: string) => page.getByRole('heading', { name });
const atClient = (page: Page) => heading(page, 'Claude’s page').waitFor();

/** What a browser says of responses that aren't a success, and of requests that get none. */
const isAnswer = (text: string) => /status of 40\d|ERR_FAILED/.test(text);

describe.skipIf(!hasBrowser)('the consent page in a browser', () => {
  it('signs in who comes from another site, with the whole request, and allows what is checked', async () => {
    const { url, open } = await start();
    const { page, complaints } = await open('/licenses');
    await answerRequest(page);
    await answerClient(page);
    const sent = await answerDecisions(page, { data: { location } });
    const target = url + toConsent({ state: 'x'.repeat(4_000) });
    await arrive(page, target);
    await page.getByText('Sign in to connect an assistant.').waitFor();
    await signIn(page);
    await heading(page, 'Allow Claude?').waitFor();
    expect(page.url()).toBe(target);
    expect(await page.title()).toBe('Allow Claude? · Handbill');
    await page.getByText('It sends you back to claude.example.').waitFor();
    await page.getByText('ann@example.com').waitFor();
    await page.getByText('No documents, messages or settings').waitFor();
    await inspect(page, 'consent');
    await allow(page).click();
    await atClient(page);
    const { response_type, code_challenge, code_challenge_method } = requestParameters;
    expect(sent).toEqual([
      {
        clientId,
        redirectUri,
        responseType: response_type,
        codeChallenge: code_challenge,
        codeChallengeMethod: code_challenge_method,
        state: 'x'.repeat(4_000),
        decision: 'allow',
        permissions: question.permissions,
        ceiling: question.ceiling,
      },
    ]);
    expect(page.url()).toBe(location);
    expect(complaints.filter((text) => !isAnswer(text))).toEqual([]);
  });

  it('asks who comes back from another site and is signed in without a detour', async () => {
    const { url, page } = await startConsent();
    await arrive(page, url + toConsent());
    await heading(page, 'Allow Claude?').waitFor();
    await page.getByText('ann@example.com').waitFor();
  });

  it('is narrowed by keys alone: a permission, the audience and the bounds', async () => {
    const { page } = await startConsent();
    const sent = await answerDecisions(page, { data: { location } });
    await page.getByLabel('List your shares and their views').press('Space');
    await page.getByLabel('Who can open what it publishes').selectOption('link');
    await page.getByText('It may publish pages for').waitFor();
    await page.getByLabel('Days').fill('');
    await page.getByLabel('Shares a day').fill('5');
    await pressAllow(page);
    await page.getByText('Enter a number from 1 to 3,650.').waitFor();
    await expect.poll(() => page.locator(':focus').getAttribute('name')).toBe('maxAgeDays');
    await page.getByLabel('Days').fill('1');
    await page.getByText('day', { exact: true }).waitFor();
    await pressAllow(page);
    await atClient(page);
    expect(sent).toMatchObject([
      {
        permissions: ['shares:create', 'shares:update'],
        ceiling: { maxAudience: 'link', maxAge: 86_400, sharesPerDay: 5 },
      },
    ]);
  });

  it('bounds nothing that isn’t published, and allows nothing that isn’t checked', async () => {
    const { page } = await startConsent();
    const sent = await answerDecisions(page, { data: { location } });
    await page.getByLabel('Create and change your shares').uncheck();
    await page.getByRole('group', { name: 'What it can publish' }).waitFor({ state: 'hidden' });
    await page.getByLabel('List your shares and their views').uncheck();
    await allow(page).click();
    await alerts(page).getByText('Nothing is checked.').waitFor();
    expect(sent).toEqual([]);
    await page.getByLabel('List your shares and their views').check();
    await allow(page).click();
    await atClient(page);
    expect(sent[0]).toMatchObject({ permissions: ['shares:view'] });
    expect(sent[0]).not.toHaveProperty('ceiling');
  });

  it('offers no audience that the service doesn’t allow', async () => {
    const { page } = await startConsent({
      data: { ...question, limits: { maxAudience: 'people' } },
    });
    const audience = page.getByLabel('Who can open what it publishes');
    await audience.waitFor();
    const offered = await audience.locator('option').allTextContents();
    expect(offered).toEqual(['private', 'people you choose']);
  });

  it('tells the client of a denial', async () => {
    const { page } = await startConsent();
    const denied = `${redirectUri}?error=access_denied`;
    const sent = await answerDecisions(page, { data: { location: denied } });
    await page.getByRole('button', { name: 'Deny' }).click();
    await atClient(page);
    expect(page.url()).toBe(denied);
    expect(sent).toMatchObject([{ decision: 'deny' }]);
  });

  it('sends a double click once, and a lost answer again', async () => {
    const { page } = await startConsent();
    const sent = await answerDecisions(page, { status: 0 }, { data: { location } });
    await allow(page).dblclick();
    await alerts(page).getByText('Can’t reach the server.').waitFor();
    expect(sent).toHaveLength(1);
    await allow(page).click();
    await atClient(page);
    expect(sent).toHaveLength(2);
    expect(sent[0]).toEqual(sent[1]);
  });

  it('asks over the question for what proves who one is, and then sends the same decision', async () => {
    const { page } = await startConsent();
    const details = [{ field: 'currentPassword', message: 'is required' }];
    const refused = {
      status: 403,
      error: { code: 'REAUTHENTICATION_REQUIRED', message: 'x', details },
    };
    const sent = await answerDecisions(page, refused, refused, { data: { location } });
    await allow(page).click();
    const proof = page.getByRole('dialog', { name: 'Confirm it’s you' });
    const password = proof.getByLabel('Password');
    await password.and(page.locator(':focus')).waitFor();
    await inspect(page, 'consent-proof');
    await page.keyboard.press('Escape');
    await alerts(page).getByText('You didn’t confirm that it’s you').waitFor();
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Allow');
    await page.keyboard.press('Enter');
    await password.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await proof.getByText('Incorrect password. Try again.').waitFor();
    await password.fill('correct horse');
    await password.press('Enter');
    await atClient(page);
    expect(sent).toHaveLength(3);
    expect(sent[2]).toEqual(sent[0]);
  });

  it('switches the account and comes back to the same request', async () => {
    const { url, page } = await startConsent();
    await page.getByRole('button', { name: 'Switch account' }).press('Enter');
    await heading(page, 'Sign in').waitFor();
    expect(page.url()).toBe(url + toConsent());
    await signIn(page);
    await heading(page, 'Allow Claude?').waitFor();
  });

  it('decides nothing for another account that has signed in meanwhile', async () => {
    const { url, page } = await startConsent();
    const sent = await answerDecisions(page, { data: { location } });
    await heading(page, 'Allow Claude?').waitFor();
    await page.context().request.post(`${url}/api/auth/login`, {
      data: { email: 'root@example.com', password: 'correct horse' },
      headers: { origin: url },
    });
    await allow(page).click();
    await page.getByText('root@example.com').waitFor();
    expect(sent).toEqual([]);
  });
});
