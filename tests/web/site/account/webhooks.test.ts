import { describe, expect, it } from 'vitest';
import { parseView, toUrl, type View } from '../../../../functions/web/site/account/view.ts';
import { webhookTexts } from '../../../../functions/web/site/account/webhook-texts.ts';
import { ownEvents, testEvent } from '../../../../shared/webhooks/events.ts';
import { call } from '../../../support/service/call.ts';
import { useTable } from '../../../support/table/table.ts';
import { login, newPerson } from '../../../support/users/test-users.ts';

useTable();

const parse = (query: string): View => parseView(new URLSearchParams(query));

describe('the address of the webhooks of an account', () => {
  it.each([
    '/account?tab=webhooks',
    '/account?tab=webhooks&new',
    '/account?tab=webhooks&open=244212480000000',
    '/account?tab=webhooks&open=244212480000000&part=settings',
  ])('is that of its view: %s', (url) => {
    expect(toUrl(parseView(new URL(url, 'https://handbill.test').searchParams))).toBe(url);
  });

  it('ignores an open webhook that can’t be, and one on another tab', () => {
    for (const query of [
      'tab=webhooks&open=0',
      'tab=webhooks&open=x&part=settings',
      'tab=webhooks&new&open=1',
      'tab=tokens&open=1&part=settings',
    ]) {
      expect(parse(query)).toMatchObject({ open: undefined, part: undefined });
    }
    expect(parse('tab=security&new').isCreating).toBe(false);
  });
});

describe('the texts of webhooks', () => {
  it('name each event of users, and the test', () => {
    expect(Object.keys(webhookTexts.events).sort()).toEqual([...ownEvents, testEvent].sort());
  });
});

describe('GET /account', () => {
  it.each([
    ['webhooks', ['add-webhook']],
    ['tokens', ['new-token']],
    ['profile', []],
  ])('on the tab %s has what creates its own things in the header', async (tab, shown) => {
    const { email } = await newPerson();
    const cookies = (await login(email)).cookies?.map((cookie) => cookie.split(';')[0] ?? '') ?? [];
    const { body } = await call('GET /account', { cookies, query: { tab } });
    const links = [...String(body).matchAll(/<a class="btn primary" id="([\w-]+)"([^>]*)>/g)];
    expect(links.map(([, id]) => id)).toEqual(['new-token', 'add-webhook']);
    expect(links.filter(([, , rest]) => !rest?.includes('hidden')).map(([, id]) => id)).toEqual(
      shown,
    );
  });
});
