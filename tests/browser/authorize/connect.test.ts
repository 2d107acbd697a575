import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { send } from '../../support/run/process.ts';
import { keepSecretsOf } from '../../support/run/secrets.ts';
import { useServer } from '../../support/run/server.ts';
import { signIn, start } from '../flows/sign-in.ts';

/** What an assistant on the same device is sent back with. */
const answers: URLSearchParams[] = [];
const listener = useServer(
  createServer(({ url = '' }, response) => {
    answers.push(new URL(url, 'http://127.0.0.1').searchParams);
    response.setHeader('content-type', 'text/html; charset=utf-8').end('<h1>Back at Notebook</h1>');
  }),
);

const startClient = async () => {
  const { url, open } = await start();
  const redirectUri = `${listener.origin}/callback`;
  const { body } = await send(`${url}/oauth/register`, {
    method: 'POST',
    body: { client_name: 'Notebook', redirect_uris: [redirectUri] },
  });
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: body.client_id,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'state-of-notebook',
  });
  const { page, complaints } = await open(`/authorize?${query}`);
  const exchange = async (code: string) => {
    const response = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: body.client_id,
        redirect_uri: redirectUri,
        code,
        code_verifier: verifier,
      }),
    });
    const tokens = (await response.json()) as { access_token: string };
    keepSecretsOf(tokens);
    return { status: response.status, tokens };
  };
  return { url, page, complaints, exchange, query };
};

describe.skipIf(!hasBrowser)('an assistant that is connected in a browser', () => {
  it('gets a code after signing in and Allow, and with it what was left checked', async () => {
    const { url, page, complaints, exchange } = await startClient();
    await page.getByText('Sign in to connect an assistant.').waitFor();
    await signIn(page);
    await page.getByRole('heading', { name: 'Allow Notebook?' }).waitFor();
    await page.getByText('It sends you back to this device.').waitFor();
    await page.getByLabel('List your shares and their views').uncheck();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Back at Notebook' }).waitFor();
    const answer = answers.at(-1);
    expect([answer?.get('state'), answer?.get('iss')]).toEqual(['state-of-notebook', url]);
    const { status, tokens } = await exchange(answer?.get('code') ?? '');
    expect(status).toBe(200);
    expect(tokens.access_token).toMatch(/./);
    await page.goto(`${url}/licenses`);
    const listed = (await page.evaluate(`fetch('/api/apps').then((one) => one.json())`)) as {
      data: readonly object[];
    };
    expect(listed.data).toMatchObject([
      {
        name: 'Notebook',
        permissions: ['shares:create', 'shares:update'],
        ceiling: { maxAudience: 'private', maxAge: 604_800, sharesPerDay: 20 },
      },
    ]);
    expect(complaints).toEqual([]);
  });

  it('is told of a denial, and of an address that isn’t its own nothing', async () => {
    const { url, page, query } = await startClient();
    await signIn(page);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByRole('heading', { name: 'Back at Notebook' }).waitFor();
    expect(answers.at(-1)?.get('error')).toBe('access_denied');
    const count = answers.length;
    query.set('redirect_uri', `${listener.origin}/elsewhere`);
    await page.goto(`${url}/authorize?${query}`);
    await page.getByRole('heading', { name: 'Wrong return address' }).waitFor();
    expect(answers).toHaveLength(count);
  });
});
